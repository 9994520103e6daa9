package dxgi

import (
	"errors"
	"fmt"
)

// ErrNoAdapter is matched (errors.Is) by the error of Open when no adapter is the one asked for.
var ErrNoAdapter = errors.New("no such adapter")

// ErrClosed is matched by the error of a Read after Close.
var ErrClosed = errors.New("the meter is closed")

// CallError is a call into Windows that failed. Code is an HRESULT or, for the functions of
// pdh.dll, a PDH_STATUS.
type CallError struct {
	Call string
	Code uint32
}

// Codes of winerror.h and pdhmsg.h.
const (
	eNotImplemented  = 0x80004001
	eNoInterface     = 0x80004002
	dxgiNotFound     = 0x887A0002
	dxgiUnsupported  = 0x887A0004
	dxgiRemoved      = 0x887A0005
	pdhMoreData      = 0x800007D2
	pdhNoData        = 0x800007D5
	pdhNoObject      = 0xC0000BB8
	pdhNoCounter     = 0xC0000BB9
	pdhInvalidData   = 0xC0000BC6
	pdhStatusNewData = 0x00000001
)

// codeWords holds the codes that tell a reader what to do.
var codeWords = map[uint32]string{
	eNotImplemented: "E_NOTIMPL: this system does not have the function",
	eNoInterface:    "E_NOINTERFACE: it needs Windows 10 or later and a WDDM 2.0 driver",
	dxgiNotFound:    "DXGI_ERROR_NOT_FOUND",
	dxgiUnsupported: "DXGI_ERROR_UNSUPPORTED: the driver does not have the function",
	dxgiRemoved:     "DXGI_ERROR_DEVICE_REMOVED: the adapter is gone or was reset; open it again",
	pdhNoData:       "PDH_NO_DATA: no adapter is counted now",
	pdhNoObject:     "PDH_CSTATUS_NO_OBJECT: the counters need Windows 10 version 1709 or later and a WDDM 2.0 driver",
	pdhNoCounter:    "PDH_CSTATUS_NO_COUNTER: this system does not have the counter",
	pdhInvalidData:  "PDH_INVALID_DATA",
}

func (e *CallError) Error() string {
	s := fmt.Sprintf("%s failed with 0x%08X", e.Call, e.Code)
	if w, ok := codeWords[e.Code]; ok {
		s += " (" + w + ")"
	}
	return s
}

// failed makes an error of a code whose sign bit says failure: the severity of HRESULT and of
// PDH_STATUS.
func failed(call string, code uint32) error {
	if int32(code) >= 0 {
		return nil
	}
	return &CallError{Call: call, Code: code}
}
