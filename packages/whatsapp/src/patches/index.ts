import { silenceLibsignal } from './console.ts'
import { patchLibsignalQueue } from './libsignal-queue.ts'

/** Must be imported before Baileys, once per process. */
silenceLibsignal()
patchLibsignalQueue()
