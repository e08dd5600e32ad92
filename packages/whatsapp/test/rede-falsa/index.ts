// Must be first: the fake network and the connector share one process and one libsignal.
import '#remendos/index.ts'

export {
  type AnfitriaoDeTeste,
  createAnfitriao,
  type Disco,
  type Ganchos,
  novaMensagem,
  novoDisco,
} from '../anfitriao-em-memoria.ts'
export { type ArmazemFalso, createArmazemFalso } from './armazem.ts'
export { type Celular, createCelular } from './celular.ts'
export { type ClienteFalso, createCliente } from './cliente.ts'
export { createServidor, type ServidorFalso } from './servidor.ts'
export type { Pessoa } from './tipos.ts'
