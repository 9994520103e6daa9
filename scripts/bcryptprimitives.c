/* What Go programs need of Windows' bcryptprimitives.dll, for wine 8, which has none: ProcessPrng
 * fills memory with random bytes and does not fail. SystemFunction036 is RtlGenRandom. */
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, unsigned long long length) {
	while (length > 0) {
		unsigned long part = length > 1 << 20 ? 1 << 20 : (unsigned long)length;
		if (!SystemFunction036(buffer, part)) return 0;
		buffer += part;
		length -= part;
	}
	return 1;
}
