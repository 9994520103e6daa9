package nvml

const libraryName = "nvml.dll"
