import type { RespostaIa } from '@balcao/contract/entities/resposta-ia'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { WhyAnswer } from '#shared/ia/why-answer.tsx'
import { expectAccessible } from '#test/axe.ts'
import { makeConversa, makeMensagem } from '#test/atendimento/sample-conversas.ts'
import { openAtendimento, conversaRow } from '#test/atendimento/tab.ts'
import { type FakeAnswer, type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'

const RESPOSTA: RespostaIa = {
  mensagemId: 'm1',
  modelo: 'gemini-2.5-flash',
  temperatura: 0.7,
  instrucoes: 'Você é a atendente da Padaria Aurora.\nSetores: Geral, Vendas.',
  historico: [
    { de: 'cliente', texto: 'Oi, vocês fazem bolo?' },
    { de: 'bot', texto: 'Fazemos sim! 😊' },
  ],
  pergunta: 'Tem de fubá? Meu CPF é [CPF]',
  resposta: 'Temos o Bolo de fubá por R$ 32,00.',
  ferramentas: [
    { nome: 'procurar_produtos', pedido: '{"busca":"fubá"}', resultado: '{"produtos":[{"nome":"Bolo de fubá"}]}' },
    { nome: 'desconhecida', pedido: 'x', resultado: 'y' },
  ],
  tokensEntrada: 1240,
  tokensSaida: 38,
  duracaoMs: 2350,
  criadaEm: '2026-11-20T15:04:00.000Z',
  afirmacoes: [{ texto: 'R$ 32,00', apoio: { tipo: 'produto', id: 'p1', trecho: 'Bolo de fubá: R$ 32,00' } }],
  retida: false,
}
const RETIDA: RespostaIa = {
  ...RESPOSTA,
  resposta: 'O bolo de fubá custa R$ 30,00 e a entrega é grátis.',
  afirmacoes: [
    { texto: 'R$ 30,00', apoio: null },
    { texto: 'https://loja.example/um-endereco-muito-comprido-que-nao-cabe-em-uma-linha-de-celular', apoio: null },
  ],
  retida: true,
}

let api: FakeApi
let close = (): void => undefined
let closed = 0
beforeEach(() => {
  api = fakeApi()
  closed = 0
})
afterEach(() => {
  close()
  api.restore()
})

function abrir(reply: FakeAnswer): void {
  api.on('GET /gemini/respostas/m1', () => reply)
  const place = document.createElement('main')
  document.body.append(place)
  document.title = 'Balcão'
  const root = createRoot(place)
  root.render(
    <QueryClientProvider client={new QueryClient()}>
      <h1>Atendimento</h1>
      <WhyAnswer mensagemId="m1" onClose={() => (closed += 1)} />
    </QueryClientProvider>,
  )
  close = () => {
    root.unmount()
    place.remove()
  }
}

const dialogo = page.getByRole('dialog', { name: 'Por que respondeu isto?' })

describe('Dialog Por que respondeu isto?', () => {
  it('shows question, answer, tool calls and numbers', async () => {
    abrir(ok({ resposta: RESPOSTA }))
    await expect.element(dialogo.getByText('Tem de fubá? Meu CPF é [CPF]')).toBeVisible()
    await expect.element(dialogo.getByText('Temos o Bolo de fubá por R$ 32,00.')).toBeVisible()
    await expect.element(dialogo.getByText('Procurou no catálogo: fubá')).toBeVisible()
    await expect.element(dialogo.getByText('1 produto: Bolo de fubá')).toBeVisible()
    await expect.element(dialogo.getByText('desconhecida: x')).toBeVisible()
    for (const value of ['gemini-2.5-flash', '0,7', '1.240 de entrada · 38 de saída', '2,4 s']) {
      await expect.element(dialogo.getByText(value, { exact: true })).toBeVisible()
    }
  })

  it('shows each statement with its support', async () => {
    abrir(ok({ resposta: RESPOSTA }))
    const claims = dialogo.getByRole('region', { name: 'De onde tirou' })
    await expect.element(claims.getByText('R$ 32,00', { exact: true })).toBeVisible()
    await expect.element(claims.getByText('Produto: Bolo de fubá: R$ 32,00')).toBeVisible()
    await expect.poll(() => dialogo.getByText('O cliente não recebeu esta resposta').query()).toBeNull()
  })

  it.each(['light', 'dark'])('shows a withheld answer in 360 px in the %s theme', async (theme) => {
    await page.viewport(360, 740)
    document.documentElement.dataset['theme'] = theme
    abrir(ok({ resposta: RETIDA }))
    await expect.element(dialogo.getByText('O cliente não recebeu esta resposta')).toBeVisible()
    expect(dialogo.getByText('Sem apoio').elements()).toHaveLength(2)
    await expectAccessible()
    const box = dialogo.element()
    expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth)
    delete document.documentElement.dataset['theme']
    await page.viewport(1280, 800)
  })

  it('folds the instructions and remembered lines until opened', async () => {
    abrir(ok({ resposta: RESPOSTA }))
    const instructions = dialogo.getByText(/Você é a atendente da Padaria Aurora/)
    await dialogo.getByText('Instruções que recebeu').click()
    await expect.element(instructions).toBeVisible()
    await dialogo.getByText('Lembrava de 2 falas').click()
    await expect.element(dialogo.getByText('Oi, vocês fazem bolo?')).toBeVisible()
    await dialogo.getByText('Instruções que recebeu').click()
    await expect.poll(() => instructions.query()?.checkVisibility() ?? false).toBe(false)
  })

  it('explains the 30-day retention when the record is deleted', async () => {
    abrir(refusal(404, 'naoEncontrado', 'Não encontrado'))
    await expect.element(dialogo.getByText(/Guardamos por 30 dias/)).toBeVisible()
    await expect.poll(() => dialogo.getByRole('button', { name: 'Tentar de novo' }).query()).toBeNull()
  })

  it('retries after a failure', async () => {
    abrir(refusal(503, 'servidorOcupado', 'O servidor está ocupado.'))
    await expect.element(dialogo.getByText('O servidor está ocupado.')).toBeVisible()
    api.on('GET /gemini/respostas/m1', () => ok({ resposta: RESPOSTA }))
    await dialogo.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(dialogo.getByText(RESPOSTA.resposta)).toBeVisible()
  })

  it('closes with Esc', async () => {
    abrir(ok({ resposta: RESPOSTA }))
    await expect.element(dialogo.getByText(RESPOSTA.resposta)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => closed).toBe(1)
  })

  it('opens from the answer in the chat and returns the focus', async () => {
    const painel = openAtendimento({
      open: [
        makeConversa({
          status: 'em_atendimento',
          mensagens: [
            makeMensagem({ texto: RESPOSTA.pergunta }),
            makeMensagem({ id: 'm1', texto: 'Temos sim!', remetente: 'IA', tipo: 'enviada', origem: 'ia' }),
          ],
        }),
      ],
    })
    close = painel.unmount
    painel.api.on('GET /gemini/respostas/m1', () => ok({ resposta: RESPOSTA }))
    await conversaRow('Marina Duarte').click()
    const porQue = page.getByRole('button', { name: 'Por que respondeu isto?' })
    await porQue.click()
    await expect.element(dialogo.getByText(RESPOSTA.resposta)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(porQue).toHaveFocus()
    await expect.poll(() => dialogo.query()).toBeNull()
  })

  it('passes axe with everything open', async () => {
    abrir(ok({ resposta: RESPOSTA }))
    await dialogo.getByText('Instruções que recebeu').click()
    await dialogo.getByText('Lembrava de 2 falas').click()
    await expectAccessible()
  })
})
