import { afterAll, beforeAll, expect, it } from 'vitest'
import { criarEtiquetaRoute } from '@balcao/contract/routes/etiquetas'
import { type Answer, createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { connectBot, formFile, givenConta, givenOperador, givenWaitingCustomer } from '#test/builders.ts'
import { png } from '#test/midias/sample-files.ts'

let app: TestApp
let full: Shop
let other: Shop

interface Shop {
  readonly dona: TestUser
  readonly vera: TestUser
  readonly conversaId: string
  readonly etiquetaId: string
}

const PHONE = '5511988001100'

async function givenShop(): Promise<Shop> {
  const dona = await givenConta(app)
  const vera = await givenOperador(app, dona)
  await connectBot(dona)
  const conversaId = await givenWaitingCustomer(dona, PHONE)
  const { body } = await dona.request('POST', '/etiquetas', { nome: 'VIP', cor: 'red' })
  return { dona, vera, conversaId, etiquetaId: criarEtiquetaRoute.response.parse(body).etiqueta.id }
}

beforeAll(async () => {
  app = await createTestApp()
  full = await givenShop()
  other = await givenShop()
})
afterAll(() => app?.close())

/** The share of a conta, but for one. */
async function fill({ dona: { contaId }, conversaId }: Shop): Promise<void> {
  await app.sql(
    `insert into arquivos (conta_id, nome, uso, tipo, tamanho, estado, criado_em)
     select $1, md5(n::text) || '.png', 'midia', 'image/png', 10, 'pronto', now() from generate_series(1, 1999) n`,
    [contaId],
  )
  await app.sql(
    `insert into notas (conta_id, id, conversa_id, texto, autor_id, autor, criada_em)
     select $1, uuidv7(), $2, 'x', $1, 'Ana', now() from generate_series(1, 9999)`,
    [contaId, conversaId],
  )
  await app.sql('update uso_diario set recebidas = 49999 where conta_id = $1', [contaId])
}

/** Adds acts until `total` count. Logins do not. */
const act = (contaId: string, total: number): Promise<unknown> =>
  app.sql(
    `insert into auditoria (id, em, acao, conta_id)
     select uuidv7(), now(), 'etiquetaAlterada', $1 from generate_series(1, $2::int - (
       select count(*)::int from auditoria where conta_id = $1 and acao <> 'entrar'))`,
    [contaId, total],
  )

const simulate = ({ dona }: Shop, fields: object = {}): Promise<Answer> =>
  dona.request('POST', '/simulador/mensagens', { telefone: PHONE, nome: 'Bia', texto: 'oi', ...fields })
const rename = (user: TestUser, { etiquetaId }: Shop, nome: string): Promise<Answer> =>
  user.request('PUT', `/etiquetas/${etiquetaId}`, { nome })

/** Stores one of each kind. Returns the codes of the refusals. */
async function storeAll(shop: Shop): Promise<unknown[]> {
  const { dona, vera, conversaId } = shop
  const file = new FormData()
  file.set('arquivo', formFile(png(), 'a.png'))
  const path = `/atendimento/conversas/${conversaId}`
  const answers = [
    await dona.request('POST', `${path}/midia`, file),
    await dona.request('POST', `${path}/notas`, { texto: 'Lembrar' }),
    await simulate(shop),
    await rename(vera, shop, app.deps.ids.uuid()),
  ]
  return answers.flatMap(({ status, body }) => (status < 300 ? [] : [body['codigo']]))
}

it('refuses what is above the share of one conta, and stores everything of another one', async () => {
  await fill(full)
  await act(full.dona.contaId, 9_999)
  expect(await storeAll(full)).toEqual([])
  const refused = ['armazenamentoCheio', 'limitePlano', 'limitePlano', 'muitasTentativas']
  expect(await storeAll(full)).toEqual(refused)
  expect(await storeAll(other)).toEqual([])
  const stored = await app.sql('select count(*)::int as n from notas where conta_id = $1', [full.dona.contaId])
  expect(stored).toEqual([{ n: 10_000 }])
})

it('leaves acts of the dono after those of operadores, and the login after all', async () => {
  const { dona, vera } = full
  expect((await rename(vera, full, 'Recusada')).body['codigo']).toBe('muitasTentativas')
  expect((await rename(dona, full, 'Da dona')).status).toBe(200)
  await act(dona.contaId, 20_000)
  expect((await rename(dona, full, 'Demais')).body).toMatchObject({
    ...{ codigo: 'muitasTentativas', erro: 'Sua loja fez alterações demais em 24 horas. Tente de novo mais tarde.' },
  })
  expect(JSON.stringify((await dona.request('GET', '/etiquetas')).body)).toContain('Da dona')
  expect((await app.login(dona.usuario.email)).contaId).toBe(dona.contaId)
})

it('bounds the messages of the simulated own phone for each conta', async () => {
  const own = { deMim: true, telefone: '5511988001199' }
  const answers = await Promise.all(Array.from({ length: 1_010 }, () => simulate(full, own)))
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1_000)
  expect(answers.find(({ status }) => status === 403)?.body['codigo']).toBe('limitePlano')
  expect((await simulate(other, own)).status).toBe(202)
})
