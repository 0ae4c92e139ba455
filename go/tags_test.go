//go:build !bucketwheel_test

package bucketwheel

const buildTags = ""
