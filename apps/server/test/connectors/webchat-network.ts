import { SendFailed } from '@balcao/connector/errors'
import type { ConnectorFactory } from '@balcao/connector/port'
import { createWebchat } from '#adapters/webchat/connector.ts'
import { chatOf, createVisitor, type TestVisitor } from '#test/webchat/visitor.ts'
import type { TestApp } from '#test/app.ts'
import type { NetworkCustomer, TestNetwork } from './networks.ts'

/** The visitors use the public routes. Only refusals need another connector, because no service is outside. */
export async function createWebchatNetwork(): Promise<TestNetwork> {
  let refusals = 0
  let customers = 0
  let current: TestApp | null = null
  const factory: ConnectorFactory = (host) => {
    const connector = createWebchat({
      deliver: async (chat, message) => (await current?.deps.webchat.feed.deliver(chat, message)) ?? false,
      typing: () => undefined,
    })(host)
    return {
      ...connector,
      send: async (message) => {
        if (refusals-- > 0) throw new SendFailed('recusada')
        await connector.send(message)
      },
    }
  }

  const customer = (nome: string): NetworkCustomer => {
    customers += 1
    const id = (name: string) =>
      `00000000-0000-4000-8000-${Buffer.from(`${customers}${name}`.slice(-6)).toString('hex')}`
    let visitor: TestVisitor | null = null
    const visit = async (app: TestApp): Promise<TestVisitor> => {
      current = app
      visitor ??= await createVisitor(app, await chatOf(app.admin), { nome })
      return visitor
    }
    return {
      says: async (app, texto, name) => (await visit(app)).says(app, texto, name === undefined ? undefined : id(name)),
      received: async (app) => (await visit(app)).received(app),
      reportDelivery: async (app, texto, step) => {
        const { messages, reads } = await visit(app)
        if (step === 'saiu') return
        const found = (await messages(app)).find((other) => other.texto === texto)
        if (found !== undefined && step === 'lida') await reads(app, found.id)
      },
    }
  }

  return {
    conector: 'webchat',
    options: { connectors: { webchat: factory } },
    unlinkedStatus: 'CONECTADO',
    unlinkedState: { status: 'PARADO' },
    scan: async (app) => void (current = app),
    customer,
    refuseSends: async (_app, count) => void (refusals = count),
    close: async () => undefined,
  }
}
