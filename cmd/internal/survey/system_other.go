//go:build !linux && !windows

package survey

func systemVersion() string { return platform() }

func driverVersion() string { return "" }
