import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import {
  type ChatMensagem,
  chatMensagemSchema,
  type VisitanteInput,
  type Webchat,
} from '@balcao/contract/entities/webchat'
import { criarVisitanteRoute } from '@balcao/contract/routes/visitante'
import { linhaRoute, linhasRoute } from '@balcao/contract/routes/linhas'
import { webchatRoute } from '@balcao/contract/routes/webchat'
import { type TestApp, type TestUser, waitUntil, type WholeAnswer } from '#test/app.ts'
import { saveConfig } from '#test/builders.ts'

type Sender = Pick<TestApp, 'send'>

/** A visitor of a chat, as a program on the site. */
export interface TestVisitor {
  readonly token: string
  readonly ask: (app: Sender, method: string, path: string, body?: unknown) => Promise<WholeAnswer>
  readonly says: (app: Sender, texto: string, id?: string) => Promise<void>
  readonly messages: (app: Sender, depois?: string) => Promise<readonly ChatMensagem[]>
  /** Texts of the shop. */
  readonly received: (app: Sender) => Promise<string[]>
  readonly reads: (app: Sender, ate: string) => Promise<void>
}

const pageSchema = z.object({ mensagens: z.array(chatMensagemSchema), proximoCursor: z.nullable(z.string()) })

/** Path of the routes of the first line that is a chat on the site. */
export async function chatLine({ request }: Pick<TestUser, 'request'>): Promise<string> {
  const { linhas } = linhasRoute.response.parse((await request('GET', '/linhas')).body)
  const line = linhas.find(({ conector }) => conector === 'webchat')
  if (line === undefined) throw new Error('account without a chat on the site')
  return `/linhas/${line.id}`
}

/** The settings of the chat, changed first if a change is given. */
export async function chatOf(user: Pick<TestUser, 'request'>, change?: object): Promise<Webchat> {
  const path = `${await chatLine(user)}/webchat`
  const { status, body } = await user.request(change === undefined ? 'GET' : 'PUT', path, change)
  if (status !== 200) throw new Error(`chat not read: ${JSON.stringify(body)}`)
  return webchatRoute.response.parse(body).webchat
}

/** Adds a line for the chat and returns its path. */
export async function addChatLine({ request }: Pick<TestUser, 'request'>, nome = 'Site'): Promise<string> {
  const { status, body } = await request('POST', '/linhas', { nome, conector: 'webchat' })
  if (status !== 201) throw new Error(`line not added: ${JSON.stringify(body)}`)
  const path = `/linhas/${linhaRoute.response.parse(body).linha.id}`
  await waitUntil(async () => (await request('GET', `${path}/status`)).body['status'] === 'CONECTADO')
  return path
}

/** Adds a line for the chat and allows one site. */
export async function openChat(user: TestUser, site: string): Promise<Webchat> {
  await saveConfig(user)
  await addChatLine(user)
  return chatOf(user, { origens: [site] })
}

export async function createVisitor(
  app: Sender,
  { chave }: Pick<Webchat, 'chave'>,
  input: VisitanteInput = {},
): Promise<TestVisitor> {
  const { status, body } = await app.send('POST', `/web/${chave}/visitantes`, { body: input })
  if (status !== 201) throw new Error(`visitor not created: ${JSON.stringify(body)}`)
  return visitorOf(chave, criarVisitanteRoute.response.parse(body).token)
}

export function visitorOf(chave: string, token: string): TestVisitor {
  const ask: TestVisitor['ask'] = (app, method, path, body) =>
    app.send(method, `/web/${chave}${path}`, { token, ...(body === undefined ? {} : { body }) })
  const messages: TestVisitor['messages'] = async (app, depois) =>
    pageSchema.parse((await ask(app, 'GET', `/mensagens${depois === undefined ? '' : `?depois=${depois}`}`)).body)
      .mensagens
  return {
    ...{ token, ask, messages },
    says: async (app, texto, id = randomUUID()) => {
      for (;;) {
        const { status, body } = await ask(app, 'POST', '/mensagens', { id, texto })
        if (status === 202) return
        if (status !== 429) throw new Error(`message not taken: ${JSON.stringify(body)}`)
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
    },
    received: async (app) => (await messages(app)).flatMap(({ de, texto }) => (de === 'loja' ? [texto] : [])),
    reads: async (app, ate) => void (await ask(app, 'POST', '/lida', { ate })),
  }
}
