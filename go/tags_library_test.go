//go:build bucketwheel_test

package bucketwheel

const buildTags = "bucketwheel_test"
