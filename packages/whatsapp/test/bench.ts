import { createWhatsapp, type WhatsappConnector, type WhatsappOptions } from '#connector.ts'
import { type TestHost, createTestHost, type Disk, type Hooks, newDisk } from './memory-host.ts'
import { type FakePhone, createFakePhone } from '#test/rede-falsa/phone.ts'
import { type FakeCustomer, createFakeCustomer } from '#test/rede-falsa/customer.ts'
import { createFakeServer, type FakeServer } from '#test/rede-falsa/server.ts'

export interface TestBench {
  readonly server: FakeServer
  readonly phone: FakePhone
  readonly ana: FakeCustomer
  readonly disk: Disk
  readonly errors: string[]
  readonly startProcess: (ganchos?: Hooks, opcoes?: Partial<WhatsappOptions>) => TestProcess
  readonly pair: (ganchos?: Hooks, opcoes?: Partial<WhatsappOptions>) => Promise<TestProcess>
  readonly close: () => Promise<void>
}

export interface TestProcess {
  readonly host: TestHost
  readonly connector: WhatsappConnector
}

export async function createTestBench(): Promise<TestBench> {
  const servidor = await createFakeServer({ refs: 3 })
  const celular = createFakePhone(servidor, { numero: '5511990000001', lid: '100000000000001', nome: 'Floricultura' })
  const ana = createFakeCustomer(servidor, { numero: '5511987654321', lid: '200000000000001', nome: 'Ana' })
  const disco = newDisk()
  const erros: string[] = []
  const vidas: TestProcess[] = []

  const live: TestBench['startProcess'] = (ganchos, opcoes = {}) => {
    const host = createTestHost(disco, ganchos)
    const record = (_erro: unknown, oQue: string): void => void erros.push(oQue)
    const quick = { delays: () => 10, retryMs: 20 }
    const conector = createWhatsapp({ url: servidor.url, logFailure: record, ...quick, ...opcoes })(host)
    const life = { host, connector: conector }
    vidas.push(life)
    return life
  }

  return {
    ...{ server: servidor, phone: celular, ana, disk: disco, errors: erros, startProcess: live },
    pair: async (ganchos, opcoes) => {
      const life = live(ganchos, opcoes)
      await life.connector.start()
      await celular.scan((await life.host.reached('pareando')).qrCode)
      await life.host.reached('conectado')
      return life
    },
    close: async () => {
      for (const { connector } of vidas) await connector.stop()
      await servidor.close()
    },
  }
}

export { newMessage } from './memory-host.ts'
