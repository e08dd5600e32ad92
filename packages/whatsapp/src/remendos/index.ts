import { calarLibsignal } from './console.ts'
import { consertarFila } from './fila-do-libsignal.ts'

/** Must be imported before Baileys, once per process. */
calarLibsignal()
consertarFila()
