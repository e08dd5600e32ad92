import { describe, expect, it } from 'vitest'
import type { IaConfig } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import { configDaLinhaRoute } from '@balcao/contract/routes/linhas'
import type { Answer } from '#test/app.ts'
import { addLine } from '#test/linhas/lines.ts'
import { addProva, openExamShop, takeExam } from './exam-shop.ts'

const withExam = <C extends { readonly ia: IaConfig }>(config: C): C => ({
  ...config,
  ia: { ...config.ia, exigirProva: true },
})

const shop = openExamShop((opened) => opened.saveConfig(withExam))

async function save(change: Partial<IaConfig>, query = ''): Promise<Answer> {
  const { config } = configRoute.response.parse((await shop().request('GET', '/config')).body)
  const { versao: _, ...sections } = config
  return shop().request('PUT', `/config${query}`, { ...sections, ia: { ...sections.ia, ...change } })
}

const storedPrompt = async (): Promise<string> =>
  configRoute.response.parse((await shop().request('GET', '/config')).body).config.ia.promptTreinamento

const PIX = { pergunta: 'Aceita pix?', contem: ['pix'], obrigatoria: true }
const DRAFT = { promptTreinamento: 'Aceitamos pix.' }
const REFUSED = { status: 409, body: { codigo: 'provaReprovada', falharam: 1 } }

describe('PUT /config with ia.exigirProva', () => {
  it('saves a changed AI only after this draft passed its exam', async () => {
    await addProva(shop().request, PIX)
    await addProva(shop().request, { pergunta: 'Opcional', contem: ['nunca dito'] })
    expect(await save(DRAFT)).toMatchObject(REFUSED)
    shop().fake.answerAlways(() => ({ tipo: 'texto', texto: 'Não sei.' }))
    await takeExam(shop().request, DRAFT)
    expect(await save(DRAFT)).toMatchObject(REFUSED)
    expect(await storedPrompt()).toBe('Vendemos canecas.')
    shop().fake.reset()
    const fixed = { promptTreinamento: 'Aceitamos pix e cartão.' }
    await takeExam(shop().request, fixed)
    expect(await save(DRAFT)).toMatchObject(REFUSED)
    const asked = shop().fake.requests.length
    expect((await save(fixed)).status).toBe(200)
    expect(await storedPrompt()).toBe(fixed.promptTreinamento)
    expect(shop().fake.requests).toHaveLength(asked)
  })

  it('saves in spite of the exam with a reason, which the audit trail keeps', async () => {
    await addProva(shop().request, PIX)
    expect((await save(DRAFT, '?forcar=true')).body).toMatchObject({ codigo: 'dadosInvalidos' })
    expect(await save(DRAFT, '?motivo=pressa')).toMatchObject(REFUSED)
    expect((await save(DRAFT, '?forcar=true&motivo=Urgente%20hoje')).status).toBe(200)
    const rows = await shop().app.sql(`select detalhe, quem_email from auditoria where acao = 'provaIgnorada'`)
    expect(rows).toEqual([
      { detalhe: '1 sem passar. Motivo: Urgente hoje', quem_email: shop().app.admin.usuario.email },
    ])
  })

  it('lets pass what changes no answer, and the switch to off', async () => {
    await addProva(shop().request, PIX)
    expect((await save({ orcamentoCentavosMes: 5_000, transcrever: true })).status).toBe(200)
    expect((await save({ ativa: false })).status).toBe(200)
    expect(await save({ ativa: true })).toMatchObject(REFUSED)
    expect(await save({ ...DRAFT, exigirProva: false })).toMatchObject(REFUSED)
    expect((await save({ exigirProva: false })).status).toBe(200)
    expect((await save(DRAFT)).status).toBe(200)
  })

  it('refuses to turn the AI on in one line, and lets it turn off', async () => {
    await shop().saveConfig((config) => ({ ...config, ia: { ...config.ia, ativa: false } }))
    const { id } = await addLine(shop(), 'Filial')
    const turn = async (iaAtiva: boolean | null): Promise<Answer> => {
      const { body } = await shop().request('GET', `/linhas/${id}/config`)
      return shop().request('PUT', `/linhas/${id}/config`, { ...configDaLinhaRoute.response.parse(body), iaAtiva })
    }
    expect((await turn(true)).status).toBe(200)
    expect((await turn(false)).status).toBe(200)
    await addProva(shop().request, PIX)
    expect(await turn(true)).toMatchObject(REFUSED)
    expect((await turn(null)).status).toBe(200)
    await takeExam(shop().request)
    expect((await turn(true)).status).toBe(200)
    expect((await turn(true)).status).toBe(200)
  })

  it('refuses to restore a version of the AI that did not pass', async () => {
    expect((await save(DRAFT)).status).toBe(200)
    const { config } = configRoute.response.parse((await shop().request('GET', '/config')).body)
    await addProva(shop().request, PIX)
    const restore = (query = '') =>
      shop().request('POST', `/config/versoes/${config.versao - 1}/restaurar${query}`, { versao: config.versao })
    expect(await restore()).toMatchObject(REFUSED)
    expect((await restore('?forcar=true&motivo=Voltar')).status).toBe(200)
  })
})
