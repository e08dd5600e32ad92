import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AvisoDePessoa } from '@balcao/contract/entities/aviso'
import { avisosRoute } from '@balcao/contract/routes/avisos'
import { mailBotDisconnected, mailDailyLimit } from '#modules/emails/index.ts'
import { waitUntil } from '#test/app.ts'
import { type AtendimentoApp, type AtendimentoUser, createAtendimentoApp } from './atendimento-app.ts'
import { firstLine } from '#db/statement/line.ts'

/** Rui reads his notices by HTTP only: they are kept, so a closed panel loses none. */

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const noticesOf = async ({ request }: AtendimentoUser) =>
  avisosRoute.response.parse((await request('GET', '/avisos')).body)

const noticeAbout = async (person: AtendimentoUser, conversaId: string): Promise<AvisoDePessoa> =>
  waitUntil(async () => (await noticesOf(person)).avisos.find((aviso) => aviso.conversaId === conversaId) ?? null)

const idsOf = async (person: AtendimentoUser, visao: string): Promise<string[]> =>
  (await person.list(`visao=${visao}`)).map(({ id }) => id)

describe('notices of a person', () => {
  it('keeps a mention until the person reads the conversa', async () => {
    const { id } = await shop.newWaitingCustomer()
    const mencoes = [shop.rui.id, shop.rui.id, shop.dona.id]
    const texto = 'Dou 15% de desconto?'
    expect((await shop.dona.request('POST', `/atendimento/conversas/${id}/notas`, { texto, mencoes })).status).toBe(201)
    expect(await noticeAbout(shop.rui, id)).toMatchObject({
      tipo: 'mencao',
      texto: 'Dona mencionou você: Dou 15% de desconto?',
    })
    expect((await noticesOf(shop.rui)).avisos.filter(({ conversaId }) => conversaId === id)).toHaveLength(1)
    expect((await noticesOf(shop.dona)).avisos.filter(({ conversaId }) => conversaId === id)).toEqual([])
    expect(await idsOf(shop.rui, 'mencoes')).toEqual([id])
    const [conversa] = await shop.rui.list('visao=mencoes')
    const ate = conversa?.mensagens.at(-1)?.id
    expect((await shop.rui.request('PUT', `/atendimento/conversas/${id}/leitura`, { ate })).status).toBe(204)
    expect(await idsOf(shop.rui, 'mencoes')).toEqual([])
    expect((await noticeAbout(shop.rui, id)).lidoEm).toBeDefined()
  })

  it('says who transferred a conversa to the person and why', async () => {
    const { id } = await shop.newWaitingCustomer()
    const body = { operadorId: shop.rui.id, motivo: 'Você conhece o pedido.' }
    expect((await shop.dona.act(id, 'transferir', body)).status).toBe(200)
    expect(await noticeAbout(shop.rui, id)).toMatchObject({
      tipo: 'transferida',
      texto: 'Dona transferiu uma conversa para você: Você conhece o pedido.',
    })
    expect((await noticesOf(shop.dona)).avisos.filter(({ conversaId }) => conversaId === id)).toEqual([])
  })

  it('reports an import to the person who ran it', async () => {
    const form = new FormData()
    form.set('arquivo', new File(['telefone;nome\n11987650001;Lia\n11987650002;Gil\n'], 'contatos.csv'))
    expect((await shop.dona.request('POST', '/contatos/importar', form)).status).toBe(200)
    const [newest] = (await noticesOf(shop.dona)).avisos
    expect(newest).toMatchObject({
      tipo: 'importacao',
      texto: 'Importação de contatos concluída: 2 novos e 0 alterados.',
    })
  })

  it('reports the daily limit and a lost connection to the owner once', async () => {
    const { app, dona } = shop
    const { contaId } = dona
    const limit = { percentual: 80, limite: 500, dia: '2026-03-10' } as const
    const since = new Date('2026-03-10T13:05:00.000Z')
    for (let n = 0; n < 2; n += 1) {
      await app.deps.db.transaction(contaId, async (tx) => {
        await mailDailyLimit(tx, app.deps, contaId, limit)
        await mailBotDisconnected(tx, app.deps, firstLine(contaId), since)
      })
    }
    const texts = (await noticesOf(dona)).avisos.map(({ tipo, texto }) => `${tipo}: ${texto}`)
    expect(texts.slice(0, 2)).toEqual([
      'botDesconectado: O WhatsApp está sem conexão desde 10:05.',
      'limite: Foram usados 80% das 500 mensagens de hoje.',
    ])
    expect(texts.filter((text) => text.startsWith('limite'))).toHaveLength(1)
    expect((await noticesOf(shop.rui)).avisos.map(({ tipo }) => tipo)).not.toContain('limite')
  })
})
