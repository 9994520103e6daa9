package roster

import "os"

const noFollow = 0

// ours relies on the folder, which is inside the user's profile.
func ours(os.FileInfo) bool { return true }
