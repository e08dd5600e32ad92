import type { Privacidade, TitularSummary } from '@balcao/contract/entities/lgpd'
import { PRIVACIDADE_PADRAO } from '@balcao/contract/entities/lgpd'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConfig, openPanel, type PanelServer, type PanelTestApp } from '#test/dashboard/panel.tsx'

const MARINA: TitularSummary = {
  nome: 'Marina Alves',
  telefone: '5511987650001',
  desde: '2026-01-10T12:00:00.000Z',
  ultimaAtividade: '2026-03-02T12:00:00.000Z',
  paradoDesde: '2026-03-01T12:00:00.000Z',
  emAtendimento: true,
  contagem: {
    conversas: 2,
    mensagens: 1234,
    midias: 3,
    avaliacoes: 1,
    consentimentos: 1,
    registros: 4,
    respostasIa: 0,
  },
}
const OPERACAO = {
  nome: 'Atender clientes por mensagem',
  finalidade: 'Responder',
  titulares: 'Clientes',
  dados: 'Nome e telefone',
  baseLegal: 'Contrato',
  retencao: '180 dias',
  compartilhamento: 'Ninguém',
  seguranca: 'Senha',
}

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

function abrir(initial?: Partial<PanelServer>, part = ''): PanelTestApp {
  const screen = openPanel(`/dashboard?aba=geral${part}`, initial)
  painel = screen
  let privacidade: Privacidade = PRIVACIDADE_PADRAO
  let deleted = false
  const { api } = screen
  api.on('GET /lgpd/privacidade', () => ok({ privacidade }))
  api.on('PUT /lgpd/privacidade', ({ body }) => {
    const changed: Partial<Privacidade> = Object(body)
    const fresh = { ...privacidade, ...changed, aviso: { ...privacidade.aviso, ...changed.aviso } }
    if (fresh.retencaoDias < 7) {
      const mensagem = 'O prazo é de no mínimo 7 dias'
      return refusal(400, 'dadosInvalidos', mensagem, { detalhes: [{ caminho: 'retencaoDias', mensagem }] })
    }
    privacidade = fresh
    return ok({ privacidade })
  })
  api.on('GET /lgpd/registro-operacoes', () =>
    ok({ controlador: 'Padaria Aurora', geradoEm: MARINA.desde, operacoes: [OPERACAO] }),
  )
  const semNinguem = refusal(404, 'naoEncontrado', 'Nenhum cliente com este número. Nada dele está guardado aqui.')
  api.on('GET /lgpd/titulares/11%208765-0001', () => (deleted ? semNinguem : ok({ titular: MARINA })))
  api.on('GET /lgpd/titulares/11%208765-0002', () => semNinguem)
  api.on('GET /lgpd/titulares/11%208765-0001/exportacao', ({ url }) => {
    const cursor = url.searchParams.get('cursor')
    const page = { mensagens: [{ id: cursor ?? 'primeira' }], midias: [], respostasIa: [] }
    return ok({ contato: { nome: MARINA.nome }, ...page, ...(cursor === null ? { proximoCursor: 'segunda' } : {}) })
  })
  api.on('DELETE /lgpd/titulares/11%208765-0001', () => {
    deleted = true
    return ok({ sucesso: true, apagado: MARINA.contagem, notasDeOutros: 2 })
  })
  return screen
}

const telefone = page.getByLabelText('Telefone, @nome ou protocolo')
const search = page.getByRole('button', { name: 'Procurar' })
const remove = page.getByRole('button', { name: 'Apagar para sempre' })

async function abrirSecao(): Promise<void> {
  await page.getByRole('heading', { name: 'Privacidade (LGPD)' }).click()
  await expect.element(telefone).toBeVisible()
}

it('opens at the retention when the address names it', async () => {
  abrir({}, '#lgpd-aviso')
  await expect.element(page.getByRole('heading', { name: 'Aviso e prazo' })).toHaveFocus()
})

it('finds a customer, exports the data and erases after the number is typed', async () => {
  const { api } = abrir()
  await abrirSecao()
  await search.click()
  await expect.element(page.getByText('Informe o telefone com DDD, o @nome ou o protocolo.')).toBeVisible()
  await telefone.fill('11 8765-0002')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/^Nenhum cliente com este número/)).toBeVisible()

  await telefone.fill('11 8765-0001')
  await search.click()
  await expect.element(page.getByText('Marina Alves')).toBeVisible()
  await expect.element(page.getByText('1.234')).toBeVisible()
  await expect.element(page.getByText(/Pediu para não receber mensagens automáticas em 01.03.2026/)).toBeVisible()
  const saved = vi.spyOn(URL, 'createObjectURL')
  await page.getByRole('button', { name: 'Exportar dados' }).click()
  await expect.poll(() => saved.mock.calls.length).toBe(1)
  const [file] = saved.mock.calls[0] ?? []
  expect(JSON.parse(file instanceof Blob ? await file.text() : '')).toEqual({
    contato: { nome: MARINA.nome },
    mensagens: [{ id: 'primeira' }, { id: 'segunda' }],
    ...{ midias: [], respostasIa: [] },
  })
  saved.mockRestore()
  await expectAccessible()

  await page.getByRole('button', { name: 'Apagar tudo' }).click()
  const confirmacao = page.getByLabelText('Para confirmar, digite +55 11 98765-0001')
  await expect.element(remove).toBeDisabled()
  await confirmacao.fill('11 98765-0002')
  await expect.element(remove).toBeDisabled()
  await confirmacao.fill('(11) 98765-0001')
  await expectAccessible()
  await remove.click()
  const ready = page.getByText(/^Pronto: os dados deste cliente/)
  await expect.element(ready).toBeVisible()
  await expect.element(ready).toHaveFocus()
  await expect.element(page.getByText(/2 notas de outros contatos citam este nome/)).toBeVisible()
  await expect.poll(() => page.getByText('Marina Alves').query()).toBeNull()
  expect(api.calls.filter(({ route }) => route.startsWith('DELETE'))).toHaveLength(1)
})

it('finds and erases a customer without a number by the user name', async () => {
  const { api } = abrir()
  const rosa: TitularSummary = { ...MARINA, nome: 'Rosa Lima', telefone: '', nomeUsuario: 'rosa.lima' }
  api.on('GET /lgpd/titulares/%40Rosa.Lima', () => ok({ titular: rosa }))
  api.on('DELETE /lgpd/titulares/%40Rosa.Lima', () =>
    ok({ sucesso: true, apagado: rosa.contagem, notasDeOutros: null }),
  )
  await abrirSecao()
  await telefone.fill('@Rosa.Lima')
  await search.click()
  await expect.element(page.getByText('@rosa.lima', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Apagar tudo' }).click()
  const confirmacao = page.getByLabelText('Para confirmar, digite @Rosa.Lima')
  await confirmacao.fill('@rosa')
  await expect.element(remove).toBeDisabled()
  await confirmacao.fill('@Rosa.Lima')
  await remove.click()
  await expect.element(page.getByText(/^Pronto: .* não foram procuradas/)).toBeVisible()
})

it('warns of the copy in the browser profile only with a connector that has one', async () => {
  const config = makeConfig()
  for (const conector of ['navegador', 'whatsapp'] as const) {
    abrir({ config: { ...config, whatsapp: { ...config.whatsapp, conector } } })
    await abrirSecao()
    await telefone.fill('11 8765-0001')
    await search.click()
    await page.getByRole('button', { name: 'Apagar tudo' }).click()
    await expect.element(remove).toBeVisible()
    const warning = page.getByRole('dialog').getByText(/guarda uma cópia das conversas/)
    expect(warning.elements()).toHaveLength(conector === 'navegador' ? 1 : 0)
    painel?.unmount()
  }
})

it('explains a blocked erasure and keeps the dialog open', async () => {
  const { api } = abrir()
  api.on('DELETE /lgpd/titulares/11%208765-0001', () => refusal(409, 'conflito', 'A guarda legal está ligada.'))
  await abrirSecao()
  await telefone.fill('11 8765-0001')
  await search.click()
  await page.getByRole('button', { name: 'Apagar tudo' }).click()
  await page.getByLabelText(/Para confirmar/).fill('5511987650001')
  await remove.click()
  await expect.element(page.getByText('A guarda legal está ligada.')).toBeVisible()
  await expect.element(remove).toBeEnabled()
})

it('saves notice, term and processing record, with faults beside their fields', async () => {
  const { api } = abrir()
  await abrirSecao()
  const save = page.getByRole('button', { name: 'Salvar a privacidade' })
  const days = page.getByLabelText('Guardar conversas por quantos dias')
  await expect.element(save).toBeDisabled()
  await days.fill('3 dias')
  await page.getByRole('switch', { name: /Avisar sobre privacidade/ }).click()
  await save.click()
  await expect.element(page.getByText('O prazo é de no mínimo 7 dias')).toBeVisible()
  await days.fill('30')
  await save.click()
  await expect.element(save).toBeDisabled()
  // Only changed fields: another window may have switched the legal hold on meanwhile.
  const sent = { retencaoDias: 30, aviso: { ativo: true } }
  expect(api.calls.findLast(({ route }) => route === 'PUT /lgpd/privacidade')?.body).toEqual(sent)

  await page.getByRole('heading', { name: 'Registro das operações' }).click()
  await expect.element(page.getByRole('article', { name: OPERACAO.nome })).toBeVisible()
  await expectAccessible()
})

it('keeps text typed during a save', async () => {
  const { api } = abrir()
  await abrirSecao()
  const text = page.getByLabelText('Texto do aviso')
  const answered = Promise.withResolvers<void>()
  api.on('PUT /lgpd/privacidade', async ({ body }) => {
    await answered.promise
    return ok({
      privacidade: { ...PRIVACIDADE_PADRAO, ...Object(body), aviso: { ativo: false, texto: 'A {privacidade}' } },
    })
  })
  await text.fill('A {privacidade}')
  await page.getByRole('button', { name: 'Salvar a privacidade' }).click()
  await text.fill('A {privacidade} e mais isto')
  answered.resolve()
  await expect.element(page.getByText('Privacidade salva.')).toBeVisible()
  await expect.element(text).toHaveValue('A {privacidade} e mais isto')
  await expect.element(page.getByRole('button', { name: 'Salvar a privacidade' })).toBeEnabled()
})
