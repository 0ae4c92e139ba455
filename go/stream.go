package bucketwheel

import (
	"context"
	"runtime"
	"sync"
	"unsafe"
)

// Stream is a sum of more points than memory holds, which come in parts. Goroutines that share a stream wait for each other.
type Stream[P, S, J any, PJ Jacobian[J, P, S]] struct {
	mutex   sync.Mutex
	pointer unsafe.Pointer
	cleanup runtime.Cleanup
	// Cancels running calls, because the library's streams know only the handle that they were started with.
	ctx     context.Context
	release func()
}

// StreamOptions are options of a stream. Their zero value is right for most programs.
type StreamOptions struct {
	// Points is the expected number of points; 0 is any number. A wrong number makes the sum slower, not wrong.
	Points int
	// Check names the properties of the points to check.
	Check Check
	// Memory is the number of bytes that the stream may take; 0 is 2^30.
	Memory int
	// NbTasks is the largest number of threads; 0 is GOMAXPROCS.
	NbTasks int
}

// Start starts a stream. All of its calls return the context's error once ctx has ended.
func (g Group[P, S, J, PJ]) Start(ctx context.Context, options StreamOptions) (*Stream[P, S, J, PJ], error) {
	if options.Points < 0 {
		return nil, &Error{CodeArgument, "option Points is negative: expected 0 or more", -1}
	}
	cancel, release, err := newCancel(ctx)
	if err != nil {
		return nil, err
	}
	var stream unsafe.Pointer
	c, err := Options{Check: options.Check, Memory: options.Memory, NbTasks: options.NbTasks}.c(cancel)
	if err == nil {
		err = call(func(lib *library) int32 { return lib.streamNew(g.curve, g.group, options.Points, c, &stream) })
	}
	if err != nil {
		release()
		return nil, contextError(ctx, err)
	}
	s := &Stream[P, S, J, PJ]{pointer: stream, ctx: ctx, release: release}
	s.cleanup = runtime.AddCleanup(s, freeStream, ownedStream{stream, release})
	return s, nil
}

// Update adds scalars[i] times points[i]. The caller may reuse both slices when Update returns.
func (s *Stream[P, S, J, PJ]) Update(points []P, scalars []S) error {
	return s.use(func(stream unsafe.Pointer) error {
		var arguments arguments
		defer arguments.release()
		p, v := describePoints(&arguments, points), describeScalars(&arguments, scalars)
		return call(func(lib *library) int32 { return lib.streamUpdate(stream, &p, &v) })
	})
}

// Flush sets p to the sum of everything added so far and returns p. The caller may add more afterwards.
func (s *Stream[P, S, J, PJ]) Flush(p *J) (*J, error) {
	var result P
	err := s.use(func(stream unsafe.Pointer) error {
		var arguments arguments
		defer arguments.release()
		sums := describeSums(&arguments, &result)
		return call(func(lib *library) int32 { return lib.streamFlush(stream, &sums) })
	})
	if err != nil {
		return nil, err
	}
	return PJ(p).FromAffine(&result), nil
}

// Len returns the number of points that the stream has taken; 0 after Close.
func (s *Stream[P, S, J, PJ]) Len() int {
	n := 0
	_ = s.use(func(stream unsafe.Pointer) error {
		lib, err := load()
		if err == nil {
			n = lib.streamLen(stream)
		}
		return err
	})
	return n
}

// Close frees the stream. Later calls return [ErrClosed].
func (s *Stream[P, S, J, PJ]) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.pointer != nil {
		s.cleanup.Stop()
		freeStream(ownedStream{s.pointer, s.release})
		s.pointer = nil
	}
	return nil
}

func (s *Stream[P, S, J, PJ]) use(body func(stream unsafe.Pointer) error) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.pointer == nil {
		return ErrClosed
	}
	if err := context.Cause(s.ctx); err != nil {
		return err
	}
	return contextError(s.ctx, body(s.pointer))
}

// ownedStream has the objects that a stream must free.
type ownedStream struct {
	pointer unsafe.Pointer
	release func()
}

func freeStream(stream ownedStream) {
	if lib, err := load(); err == nil {
		lib.streamFree(stream.pointer)
	}
	stream.release()
}
