import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEquipeApp, type EquipeApp, type EquipeUser } from './casa.ts'

let casa: EquipeApp
let dona: EquipeUser
beforeAll(async () => {
  casa = await createEquipeApp()
  dona = await casa.dono()
})
afterAll(() => casa.close())

const ROTA = '/atendimento/respostas-rapidas'
const ler = async ({ request }: EquipeUser = dona) => (await request('GET', ROTA)).body['respostas']
const salvar = (respostas: unknown, { request }: EquipeUser = dona) => request('PUT', ROTA, { respostas })
const OI = { atalho: 'oi', texto: 'Oi! Como posso ajudar?' }
const PIX = { atalho: 'pix', texto: 'Nossa chave é pix@loja.test' }

it('starts empty, keeps the order and is shared within the conta', async () => {
  expect(await ler()).toEqual([])
  const operadora = await casa.operador(dona)
  expect(await salvar([PIX, { atalho: ' OI ', texto: `  ${OI.texto} ` }], operadora)).toMatchObject({
    status: 200,
    body: { respostas: [PIX, OI] },
  })
  expect(await ler()).toEqual([PIX, OI])
  expect(await ler(await casa.dono())).toEqual([])
  await salvar([OI])
  expect(await ler(operadora)).toEqual([OI])
})

it('rejects repeated and invalid atalhos with their path and changes nothing', async () => {
  await salvar([OI, PIX])
  expect(await salvar([OI, PIX, { ...PIX, atalho: 'Oi' }])).toMatchObject({
    status: 400,
    body: { codigo: 'dadosInvalidos', detalhes: [{ caminho: 'respostas.2.atalho' }] },
  })
  const muitas = Array.from({ length: 101 }, (_, i) => ({ atalho: `r${i}`, texto: 'x' }))
  for (const errada of [[{ atalho: 'olá', texto: 'x' }], [{ atalho: 'x', texto: ' ' }], muitas, 'oi']) {
    expect((await salvar(errada)).status).toBe(400)
  }
  expect(await ler()).toEqual([OI, PIX])
})

it('stores one of several simultaneous lists completely', async () => {
  const a = [OI, PIX]
  const b = [{ ...PIX, texto: 'outra' }, OI]
  const respostas = await Promise.all([salvar(a), salvar(b), salvar(a), salvar(b)])
  expect(respostas.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect([a, b]).toContainEqual(await ler())
})

it('rejects an outdated versao, also for simultaneous saves', async () => {
  await salvar([OI])
  const lida = await dona.request('GET', ROTA)
  const { versao } = lida.body
  const comVersao = (respostas: unknown) => dona.request('PUT', ROTA, { respostas, versao })
  const respostas = await Promise.all([comVersao([OI, PIX]), comVersao([{ ...OI, texto: 'Olá!' }]), comVersao([PIX])])
  expect(respostas.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  const salva = respostas.find(({ status }) => status === 200)
  expect(await ler()).toEqual(salva?.body['respostas'])
  expect(respostas.find(({ status }) => status === 409)?.body).toMatchObject({ codigo: 'conflito' })

  const agora = await dona.request('GET', ROTA)
  expect(agora.body['versao']).toBe(salva?.body['versao'])
  const denovo = await dona.request('PUT', ROTA, { respostas: [PIX], versao: agora.body['versao'] })
  expect(denovo.status).toBe(200)
  // The versao depends on the content, so the earlier list accepts its earlier versao.
  await salvar([OI])
  expect((await comVersao([OI, PIX])).status).toBe(200)
})
