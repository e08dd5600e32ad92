import * as z from 'zod/mini'
import { mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import type { ServerOptions } from '#composition/options.ts'
import { deliverStatus, createMetaCustomer, type MetaLoja, saveMetaNumber } from '#test/oficial/meta-loja.ts'
import { FakePage } from '#test/navegador/fake-page.ts'
import { createFakeMeta, textOf } from '#test/oficial/fake-meta.ts'
import { type TestApp } from '#test/app.ts'

/** The remote side of a connector, as the conformance tests need it: a phone to pair with and customers. */
export interface TestNetwork {
  /** Key of its row in `CONNECTORS`. */
  readonly conector: string
  readonly options: Partial<ServerOptions>
  readonly unlinkedStatus: StatusBot
  readonly scan: (app: TestApp) => Promise<void>
  readonly customer: (nome: string) => NetworkCustomer
  /** Removes the link on the remote side; `removida` is the bot's status afterwards. Absent: there is no link. */
  readonly unlink?: (app: TestApp) => Promise<void>
  readonly unlinkedState: { readonly status: StatusBot; readonly motivo?: MotivoBot }
  readonly refuseSends: (app: TestApp, envios: number) => Promise<void>
  /** Cuts the connection; absent for connectors without one. */
  readonly cut?: () => void
  readonly close: () => Promise<void>
}

export interface NetworkCustomer {
  /** Calling twice with the same `id` simulates a repeated delivery. */
  readonly says: (app: TestApp, texto: string, id?: string) => Promise<void>
  readonly received: (app: TestApp) => Promise<string[]>
  /** Our messages after edits and deletions; absent when the service changes none. */
  readonly shown?: (app: TestApp) => Promise<string[]>
  /** Reports a delivery state; absent when the service has no receipts. */
  readonly reportDelivery?: (app: TestApp, texto: string, until: DeliveryStep) => Promise<void>
}

export type DeliveryStep = 'saiu' | 'entregue' | 'lida'

export const PHONE_PAIRED = {
  unlinkedStatus: 'AGUARDANDO_QR',
  unlinkedState: { status: 'PARADO', motivo: 'desconectadoNoCelular' },
} as const

const simulatedChatSchema = z.object({ mensagens: z.array(mensagemSimuladaSchema) })

export async function createSimuladorNetwork(): Promise<TestNetwork> {
  let clientes = 0
  return {
    conector: 'simulador',
    options: {},
    ...PHONE_PAIRED,
    scan: async (app) => void (await app.request('POST', '/simulador/escanear')),
    customer: (nome) => {
      clientes += 1
      const telefone = `1191000${String(clientes).padStart(4, '0')}`
      const received = async (app: TestApp): Promise<string[]> => {
        const { body } = await app.request('GET', `/simulador/mensagens?telefone=${telefone}`)
        return simulatedChatSchema.parse(body).mensagens.flatMap(({ de, texto }) => (de === 'bot' ? [texto] : []))
      }
      return {
        says: async (app, texto, id) => {
          const corpo = { telefone, nome, texto, ...(id === undefined ? {} : { id }) }
          await app.request('POST', '/simulador/mensagens', corpo)
        },
        ...{ received, shown: received },
      }
    },
    unlink: async (app) => void (await app.request('POST', '/simulador/desconectar')),
    refuseSends: async (app, envios) => void (await app.request('POST', '/simulador/falhas', { envios })),
    close: () => Promise.resolve(),
  }
}

/** The check of `chromePath` is real; the browser is faked. */
export const CHROME = process.env['CHROME_BIN'] ?? '/usr/bin/chromium'

export async function createNavegadorNetwork(): Promise<TestNetwork> {
  const page = new FakePage()
  let clientes = 0
  return {
    conector: 'navegador',
    options: {
      navegador: {
        runAsRoot: true,
        allowedPaths: [CHROME],
        loadLibrary: async () => page.library,
        reconnectDelay: () => 20,
        unpaced: true,
      },
    },
    ...PHONE_PAIRED,
    scan: async () => page.scan(),
    customer: (nome) => {
      clientes += 1
      const de = `551191000${String(clientes).padStart(4, '0')}@c.us`
      return {
        says: async (_casa, texto, id) =>
          void page.says({ from: de, name: nome, text: texto, ...(id === undefined ? {} : { id }) }),
        received: async () => page.messages.flatMap(({ id, body }) => (id.fromMe && id.remote === de ? [body] : [])),
        shown: async () => {
          const changed = new Map(page.changes)
          const ours = page.messages.filter(({ id }) => id.fromMe && id.remote === de)
          return ours.flatMap(
            ({ id, body }) => changed.get(id._serialized) ?? (changed.has(id._serialized) ? [] : [body]),
          )
        },
        reportDelivery: async (_casa, texto, step) => {
          const dela = page.messages.find(({ id, body }) => id.remote === de && body === texto)
          page.client.emit('message_ack', dela, PAGE_STEPS.indexOf(step) + 1)
        },
      }
    },
    unlink: async () => page.unlink(),
    refuseSends: async (_casa, envios) => void page.failures.send.push(...Array<'recusar'>(envios).fill('recusar')),
    cut: () => page.client.die(),
    close: () => Promise.resolve(),
  }
}

const PAGE_STEPS: readonly DeliveryStep[] = ['saiu', 'entregue', 'lida']
const META_STEPS = { saiu: 'sent', entregue: 'delivered', lida: 'read' } as const

/** There is no phone to pair with: the owner enters a token, which Meta accepts or rejects. */
export async function createOficialNetwork(): Promise<TestNetwork> {
  const meta = await createFakeMeta()
  let loja: MetaLoja | undefined
  let clientes = 0
  const daLoja = (): MetaLoja => {
    if (loja === undefined) throw new Error('no Meta number saved')
    return loja
  }
  return {
    conector: 'oficial',
    options: { oficialUrl: meta.url, oficialTimings: { confirmationMs: 50, reconnectDelay: () => 50 } },
    unlinkedStatus: 'erro_auth',
    scan: async (app) => {
      meta.token = `EAAG-token-novo-${clientes}`
      loja = await saveMetaNumber(app, meta)
      await app.request('POST', '/bot/iniciar')
    },
    customer: (nome) => {
      clientes += 1
      const numero = `551191000${String(clientes).padStart(4, '0')}`
      let current: TestApp | undefined
      const emCasa = (): TestApp => {
        if (current === undefined) throw new Error('no server to deliver to')
        return current
      }
      const cliente = createMetaCustomer({ app: emCasa, loja: daLoja, meta, name: nome, number: numero })
      return {
        says: async (app, texto, id) => {
          current = app
          await cliente.says(texto, id)
        },
        received: async () => cliente.received().map((sent) => textOf(sent) ?? ''),
        reportDelivery: async (app, texto, step) => {
          const dela = cliente.received().find((sent) => textOf(sent) === texto)
          if (dela === undefined) throw new Error('no message sent')
          await deliverStatus({ app: () => app, loja: daLoja, meta }, dela, META_STEPS[step])
        },
      }
    },
    unlink: async (app) => {
      meta.token = null
      // The rejected token is noticed with the next answer.
      await createMetaCustomer({ app: () => app, loja: daLoja, meta, name: 'Zeca', number: '5511910009999' }).says('oi')
    },
    unlinkedState: { status: 'erro_auth', motivo: 'credenciaisInvalidas' },
    refuseSends: async (_casa, envios) =>
      meta.queueOutcomes(...Array.from({ length: envios }, () => ({ status: 500, codigo: 131000 }))),
    cut: () => meta.queueOutcomes('desliga'),
    close: meta.close,
  }
}
