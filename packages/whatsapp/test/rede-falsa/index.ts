// Must be first: the fake network and the connector share one process and one libsignal.
import '#patches/index.ts'

/** The connector itself, for programs that run it against the fake network. */
export { createWhatsapp } from '#connector.ts'
export { type TestHost, createTestHost, type Disk, type Hooks, newMessage, newDisk } from '#test/memory-host.ts'
export { type FakeMediaServer, createFakeMediaServer } from './media-server.ts'
export { type FakePhone, createFakePhone } from './phone.ts'
export { type FakeCustomer, createFakeCustomer } from './customer.ts'
export { createFakeServer, type FakeServer } from './server.ts'
export type { NetworkPerson } from './types.ts'
