import { calarLibsignal } from './console.ts'
import { consertarFila } from './fila-do-libsignal.ts'

/** Imported before anything of Baileys, once per process. */
calarLibsignal()
consertarFila()
