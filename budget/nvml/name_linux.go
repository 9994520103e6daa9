package nvml

const libraryName = "libnvidia-ml.so.1"
