package bucketwheel

import (
	"context"
	"errors"
)

// Code is the number of an error in bucketwheel.h, BW_ERROR_...
type Code int32

// Codes of errors that Go programs can meet.
const (
	CodeArgument      Code = 2
	CodeCurve         Code = 3
	CodeGroup         Code = 4
	CodeCount         Code = 5
	CodeCoordinate    Code = 8
	CodeNotOnCurve    Code = 9
	CodeNotInSubgroup Code = 10
	CodeScalar        Code = 12
	CodeMemory        Code = 13
	CodeCancelled     Code = 14
	CodeFile          Code = 15
	CodeFormat        Code = 16
	CodeBackend       Code = 17
	CodeInternal      Code = 18
)

// Error is an error of the library.
type Error struct {
	// Code is the kind of error.
	Code Code
	// Message states the fault and the expected value.
	Message string
	// Index is the index of the first wrong point or scalar; -1 for errors without an index.
	Index int
}

// Error returns the message.
func (e *Error) Error() string {
	return "bucketwheel: " + e.Message
}

// ErrClosed is returned by calls on bases and streams after Close.
var ErrClosed = errors.New("bucketwheel: used after Close")

// ErrLibrary is wrapped by the error of calls that need the shared library where it cannot be loaded.
var ErrLibrary = errors.New("bucketwheel: cannot load the library")

// contextError returns the context's error in place of the library's error, which only reports the cancellation.
func contextError(ctx context.Context, err error) error {
	var ours *Error
	if errors.As(err, &ours) && ours.Code == CodeCancelled && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
