package bucketwheel

import (
	"context"
	"unsafe"
)

// withCancel calls body with a handle that the end of ctx sets, or with nil for a context that never ends. It returns the context's
// error in place of the library's.
func withCancel(ctx context.Context, body func(cancel unsafe.Pointer) error) error {
	cancel, release, err := newCancel(ctx)
	if err != nil {
		return err
	}
	defer release()
	return contextError(ctx, body(cancel))
}

// newCancel makes a handle that the end of ctx sets, or nil for a context that never ends. release frees it.
func newCancel(ctx context.Context) (cancel unsafe.Pointer, release func(), err error) {
	if ctx.Done() == nil {
		return nil, func() {}, nil
	}
	if err := context.Cause(ctx); err != nil {
		return nil, nil, err
	}
	if err := call(func(lib *library) int32 { return lib.cancelNew(&cancel) }); err != nil {
		return nil, nil, err
	}
	// The call above has loaded the library.
	lib, _ := load()
	requested := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		lib.cancelRequest(cancel)
		close(requested)
	})
	return cancel, func() {
		if !stop() {
			// The request has started, and may still use the handle.
			<-requested
		}
		lib.cancelFree(cancel)
	}, nil
}
