import { silenceLibsignal } from './console.ts'
import { patchLibsignalQueue } from './fila-do-libsignal.ts'

/** Must be imported before Baileys, once per process. */
silenceLibsignal()
patchLibsignalQueue()
