package survey

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/host"
	"github.com/pinring/pinring/budget/quota"
	"github.com/pinring/pinring/gpu/open"
	"github.com/pinring/pinring/probe"
)

// system is this machine for doctor.
func (p *Program) system() *probe.System {
	s := &probe.System{
		OS: runtime.GOOS, Release: systemVersion(), Build: windowsBuild(), Cores: runtime.GOMAXPROCS(0),
		Env: os.LookupEnv, CUDA: countDevices, Driver: askDriver, Library: openLibrary,
		Host: hostLimits, Quota: sharedCap, FFmpeg: p.FFmpeg, Tool: firstLine, Lacks: open.WithoutCUDA(),
	}
	if runtime.GOOS == "linux" {
		s.Files = os.DirFS("/")
	}
	return s
}

func hostLimits() (budget.HostLimits, error) {
	m, err := host.New(host.Options{})
	if err != nil {
		return budget.HostLimits{}, err
	}
	defer m.Close()
	return m.Limits()
}

func sharedCap() (probe.Quota, error) {
	u, err := quota.Survey("")
	return probe.Quota{Granted: u.Granted, Processes: len(u.Processes)}, err
}

// firstLine runs a program and returns the first line that it prints.
func firstLine(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line), err
}
