import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Fonte } from '@balcao/contract/entities/fonte'
import type { Lacuna } from '@balcao/contract/entities/lacuna'
import type { Ensaio } from '@balcao/contract/entities/prova'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { fakeSocket } from '#test/dashboard/fake-socket.ts'
import { CONTA_ID, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { aviso, openIaTab, requestCount } from './tab.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const LACUNAS: readonly Lacuna[] = [
  {
    ...{ id: '0123456789abcdef', rotulo: 'vocês parcelam no cartão?', pessoas: 12, mensagens: 15, transferencias: 4 },
    exemplos: ['vocês parcelam no cartão?', 'dá pra parcelar? meu cpf é [CPF oculto]'],
  },
  {
    ...{ id: 'fedcba9876543210', rotulo: 'tem estacionamento', pessoas: 3, mensagens: 3, transferencias: 0 },
    exemplos: ['tem estacionamento'],
  },
]

const PARCELAS: Fonte = {
  ...{ id: 'f1', tipo: 'texto', titulo: 'Vocês parcelam no cartão', estado: 'pronta', trechos: 1, bytes: 80 },
  lidaEm: '2026-11-29T12:00:00.000Z',
}

const NO_EFFECT: Ensaio = {
  ...{ conversas: 40, iguais: 40, diferentes: [] },
  ...{ transferencias: { antes: 4, depois: 4 }, mensagens: { antes: 300, depois: 300 } },
}

const card = page.getByRole('region', { name: 'O que os clientes perguntam' })
const row = (name: string) => card.getByRole('listitem', { name })

const openLacunas = (): PanelTestApp => openIaTab(undefined, 'perguntas')

function open(lacunas: readonly Lacuna[] = LACUNAS): PanelTestApp {
  const opened = openLacunas()
  opened.api.on('GET /ia/lacunas', () => ok({ lacunas, analisadas: 300 }))
  painel = opened
  return opened
}

describe('IA: what customers ask', () => {
  it('shows people, messages and examples, in both themes and from 320 px', async () => {
    open()
    const first = row('“vocês parcelam no cartão?”')
    await expect.element(first.getByText('12 pessoas · 15 mensagens · 4 foram para o atendimento')).toBeVisible()
    await first.getByText(/^Ver exemplos/).click()
    await expect.element(first.getByText('dá pra parcelar? meu cpf é [CPF oculto]')).toBeVisible()
    await expect
      .element(row('“tem estacionamento”').getByText('3 pessoas · 3 mensagens', { exact: true }))
      .toBeVisible()
    await expectAccessible()
  })

  it('reads another period, and says when no question repeats', async () => {
    const { api } = open([])
    await expect.element(card.getByText('Nenhuma pergunta se repete nas 300 mensagens deste período.')).toBeVisible()
    api.on('GET /ia/lacunas', ({ url }) =>
      ok({ lacunas: url.searchParams.get('dias') === '7' ? LACUNAS : [], analisadas: 300 }),
    )
    await card.getByLabelText('Período').selectOptions('7')
    await expect.element(row('“tem estacionamento”')).toBeVisible()
  })

  it('retries after a failure', async () => {
    const opened = openLacunas()
    painel = opened
    opened.api.on('GET /ia/lacunas', () => refusal(500, 'interno', 'Erro ao carregar as perguntas sem resposta'))
    await expect.element(card.getByText('Erro ao carregar as perguntas sem resposta')).toBeVisible()
    opened.api.on('GET /ia/lacunas', () => ok({ lacunas: LACUNAS, analisadas: 300 }))
    await card.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(row('“tem estacionamento”')).toBeVisible()
  })

  it('ignores a question, and keeps it when the server refuses', async () => {
    const opened = open()
    const route = 'POST /ia/lacunas/fedcba9876543210/ignorar'
    opened.api.on(route, () => refusal(404, 'naoEncontrado', 'A pergunta não existe mais.'))
    const gap = row('“tem estacionamento”')
    await gap.getByRole('button', { name: 'Ignorar' }).click()
    await expect.element(aviso('A pergunta não existe mais.')).toBeVisible()
    await expect.element(gap).toBeVisible()
    opened.api.on(route, () => ({ status: 204 }))
    await gap.getByRole('button', { name: 'Ignorar' }).click()
    await expect.element(gap).not.toBeInTheDocument()
    expect(requestCount(opened, route)).toBe(2)
  })

  it('opens the menu editor with a new option, whose effect is measured, and which can be undone', async () => {
    const { api } = open()
    const replayed: unknown[] = []
    api.on('POST /config/ensaio', ({ body }) => {
      replayed.push(body)
      return ok(NO_EFFECT)
    })
    await row('“vocês parcelam no cartão?”').getByRole('button', { name: 'Nova opção do menu' }).click()
    await expect.element(page.getByLabelText(/^Título da opção/).last()).toHaveValue('Vocês parcelam no cartão')
    await expect.element(page.getByLabelText(/^Resposta da opção/).last()).toHaveFocus()
    await expect
      .element(aviso('Opção “Vocês parcelam no cartão” criada. Escreva a resposta, veja o efeito no ensaio e salve.'))
      .toBeVisible()
    await page.getByRole('button', { name: 'Ensaiar as mudanças' }).click()
    await expect.element(page.getByText('Nenhuma conversa mudaria.')).toBeVisible()
    expect(replayed).toEqual([expect.objectContaining({ dias: 7 })])
    expect(JSON.stringify(replayed)).toContain('"titulo":"Vocês parcelam no cartão"')
    await expectAccessible()
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await expect.element(page.getByText('Vocês parcelam no cartão', { exact: true })).not.toBeInTheDocument()
  })

  it('opens a new source with the question', async () => {
    const { api } = open()
    api.on('GET /ia/fontes', () => ok({ fontes: [], proximoCursor: null }))
    await row('“tem estacionamento”').getByRole('button', { name: 'Ensinar à IA' }).click()
    await expect.element(page.getByLabelText('Título', { exact: true })).toHaveValue('Tem estacionamento')
    await expect
      .element(page.getByRole('textbox', { name: 'Texto', exact: true }))
      .toHaveValue('Pergunta: tem estacionamento\nResposta: ')
  })

  it('shows which questions find the new source, also after a failure', async () => {
    const { api } = open()
    const reading = { ...PARCELAS, trechos: 0, estado: 'lendo', lidaEm: null }
    api.on('GET /ia/fontes', () => ok({ fontes: [], proximoCursor: null }))
    api.on('POST /ia/fontes', () => {
      api.on('GET /ia/fontes', () => ok({ fontes: [PARCELAS], proximoCursor: null }))
      return { status: 202, body: { fonte: reading } }
    })
    api.on('POST /ia/buscar', () => refusal(500, 'interno', 'Erro ao procurar'))
    await row('“vocês parcelam no cartão?”').getByRole('button', { name: 'Ensinar à IA' }).click()
    await page.getByRole('button', { name: 'Criar fonte' }).click()
    const source = page.getByRole('list', { name: 'Fontes da IA' }).getByRole('listitem')
    await expect.element(source.getByText('Lendo…')).toBeVisible()
    await expect.element(page.getByRole('banner').getByText('Online', { exact: true })).toBeVisible()
    const at = '2026-11-29T12:00:00.000Z'
    fakeSocket.emit('fonteMudou', { userId: CONTA_ID, timestamp: at, fonte: PARCELAS })
    await expect.element(source.getByText('Erro ao procurar')).toBeVisible()
    const trecho = { fonteId: PARCELAS.id, titulo: PARCELAS.titulo, trecho: 'Parcelamos em 3 vezes.', pontuacao: 0.9 }
    api.on('POST /ia/buscar', ({ body }) =>
      ok({ trechos: Object(body).pergunta === 'vocês parcelam no cartão?' ? [trecho] : [] }),
    )
    await source.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(source.getByText('A IA encontra esta fonte em 1 das 2 perguntas dos clientes.')).toBeVisible()
    await expect
      .element(source.getByText(/^Não encontra em “dá pra parcelar\? meu cpf é \[CPF oculto\]”/))
      .toBeVisible()
    await expectAccessible()
  })

  it('opens the quick replies with a new one', async () => {
    const { api } = open()
    api.on('GET /atendimento/respostas-rapidas', () => ok({ respostas: [], versao: '1' }))
    await row('“tem estacionamento”').getByRole('button', { name: 'Nova resposta rápida' }).click()
    await expect.element(page.getByLabelText('Texto', { exact: true })).toHaveValue('Sobre “tem estacionamento”: ')
    await expect.element(page.getByLabelText('Atalho', { exact: true })).toHaveValue('tem-estacionamento')
  })
})
