// Must be first: the fake network and the connector share one process and one libsignal.
import '#remendos/index.ts'

export { type TestHost, createTestHost, type Disk, type Hooks, newMessage, newDisk } from '../anfitriao-em-memoria.ts'
export { type FakeMediaServer, createFakeMediaServer } from './armazem.ts'
export { type FakePhone, createFakePhone } from './celular.ts'
export { type FakeCustomer, createFakeCustomer } from './cliente.ts'
export { createFakeServer, type FakeServer } from './servidor.ts'
export type { NetworkPerson } from './tipos.ts'
