import { criarFonteRoute, fontesRoute, trechosFonteRoute } from '@balcao/contract/routes/ia-fontes'
import type { Fonte, TrechoLido } from '@balcao/contract/entities/fonte'
import { type Answer, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { formFile } from '#test/builders.ts'

type Requester = Pick<TestUser, 'request'>

export async function givenFonte({ request }: Requester, body: unknown): Promise<Fonte> {
  const answer = await request('POST', '/ia/fontes', body)
  if (answer.status !== 202) throw new Error(`source not accepted: ${answer.status} ${JSON.stringify(answer.body)}`)
  return criarFonteRoute.response.parse(answer.body).fonte
}

export async function listFontes({ request }: Requester): Promise<readonly Fonte[]> {
  return fontesRoute.response.parse((await request('GET', '/ia/fontes?limite=100')).body).fontes
}

/** The source after its reading. */
export function readFonte(user: Requester, { id }: Pick<Fonte, 'id'>, ms?: number): Promise<Fonte> {
  return waitUntil(async () => {
    const found = (await listFontes(user)).find((fonte) => fonte.id === id)
    if (found === undefined) throw new Error('source not listed')
    return found.estado === 'lendo' ? null : found
  }, ms)
}

export const givenText = async (user: Requester, titulo: string, texto: string, more: object = {}): Promise<Fonte> =>
  readFonte(user, await givenFonte(user, { tipo: 'texto', titulo, texto, ...more }))

export function sendFile(user: Requester, bytes: Buffer, name: string): Promise<Answer> {
  const form = new FormData()
  form.set('arquivo', formFile(bytes, name, 'application/octet-stream'))
  return user.request('POST', '/ia/fontes', form)
}

export async function givenFile(user: Requester, bytes: Buffer, name: string): Promise<Fonte> {
  const { status, body } = await sendFile(user, bytes, name)
  if (status !== 202) throw new Error(`file not accepted: ${status} ${JSON.stringify(body)}`)
  return readFonte(user, criarFonteRoute.response.parse(body).fonte, 100_000)
}

export async function piecesOf({ request }: Requester, { id }: Pick<Fonte, 'id'>): Promise<readonly TrechoLido[]> {
  const { body } = await request('GET', `/ia/fontes/${id}/trechos?limite=100`)
  return trechosFonteRoute.response.parse(body).trechos
}

/** Deletes all sources of the account. */
export async function withoutFontes({ sql }: Pick<TestApp, 'sql'>): Promise<void> {
  await sql('delete from fontes')
}
