import { fakeSocket } from '../dashboard/fake-socket.ts'
import { type RespostaRapida, respostaRapidaSchema } from '@balcao/contract/entities/resposta-rapida'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import type { PanelTestApp } from '#test/dashboard/panel.tsx'
import { openEquipePanel, aviso, button, requestBodies, heading } from './equipe-panel.ts'

const PIX = { atalho: 'pix', texto: 'Nossa chave Pix é pix@aurora.com.br.', setores: [] }
const HORARIO = { atalho: 'horario', texto: 'Atendemos das 8h às 18h.', setores: [] }
const ENTREGA = { atalho: 'entrega', texto: 'Entregamos na Vila Mariana.', setores: [] }
const RESPOSTAS: readonly RespostaRapida[] = [PIX, HORARIO, ENTREGA]

let painel: PanelTestApp | null = null
function abrir(respostas: readonly RespostaRapida[] = RESPOSTAS): PanelTestApp {
  painel = openEquipePanel('respostas')
  painel.api.on('GET /atendimento/respostas-rapidas', () => ok({ respostas }))
  painel.api.on('PUT /atendimento/respostas-rapidas', ({ body }) => ok(body))
  return painel
}

afterEach(async () => {
  painel?.unmount()
  await page.viewport(1366, 800)
})

const SALVAR = 'PUT /atendimento/respostas-rapidas'
const atalhos = page.getByLabelText('Atalho')
const texts = page.getByLabelText('Texto')
const written = (): string[] =>
  atalhos.elements().map((field) => (field instanceof HTMLInputElement ? field.value : ''))
const save = button('Salvar alterações')
const undo = page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' })

describe('Respostas rápidas', () => {
  it('starts empty and adds the first', async () => {
    const screen = abrir([])
    await expect.element(page.getByText('Nenhuma resposta rápida')).toBeVisible()
    await expectAccessible()
    await button('Adicionar resposta').click()
    await expect.element(atalhos).toHaveFocus()
    await userEvent.keyboard('/Horário de Sábado')
    await expect.element(atalhos).toHaveValue('horario-de-sabado')
    await texts.fill('Das 8h às 13h.')
    await save.click()
    await expect.element(aviso('Respostas rápidas salvas com sucesso!')).toBeVisible()
    expect(requestBodies(screen, SALVAR)).toEqual([
      { respostas: [{ atalho: 'horario-de-sabado', texto: 'Das 8h às 13h.', setores: [] }] },
    ])
    await expect.element(save).not.toBeInTheDocument()
  })

  it('limits a reply to chosen setores, and gives it to all again', async () => {
    const screen = abrir([PIX, { ...HORARIO, setores: ['vendas', 'apagado'] }])
    const setores = page.getByRole('group', { name: 'Setores que usam esta resposta' })
    await expect.element(page.getByText(/Só para Vendas, apagado/)).toBeVisible()
    await page.getByText(/Para todos os setores/).click()
    await setores.first().getByRole('checkbox', { name: 'Suporte' }).click()
    await setores.first().getByRole('checkbox', { name: 'Vendas' }).click()
    await expect.element(page.getByText(/Só para Suporte.*, Vendas/)).toBeVisible()
    await page.getByText(/Só para Vendas, apagado/).click()
    await setores.last().getByRole('checkbox', { name: 'apagado' }).click()
    await setores.last().getByRole('checkbox', { name: 'Vendas' }).click()
    await expectAccessible()
    await save.click()
    await expect.element(aviso('Respostas rápidas salvas com sucesso!')).toBeVisible()
    expect(requestBodies(screen, SALVAR)).toEqual([
      { respostas: [{ ...PIX, setores: ['suporte', 'vendas'] }, HORARIO] },
    ])
  })

  it('reorders by buttons and announces the new position', async () => {
    const screen = abrir()
    await button('Descer /pix').click()
    await expect.poll(written).toEqual(['horario', 'pix', 'entrega'])
    await expect.element(page.getByText('/pix na posição 2 de 3')).toBeInTheDocument()
    await expect.element(button('Descer /pix')).toHaveFocus()
    await button('Subir /entrega').click()
    await expect.element(button('Subir /horario')).toBeDisabled()
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.element(aviso('Respostas rápidas salvas com sucesso!')).toBeVisible()
    expect(requestBodies(screen, SALVAR)).toEqual([{ respostas: [RESPOSTAS[1], RESPOSTAS[2], RESPOSTAS[0]] }])
  })

  it('removes one and restores it in its position', async () => {
    const screen = abrir()
    await button('Remover /horario').click()
    await expect.poll(written).toEqual(['pix', 'entrega'])
    await expect.element(aviso('/horario removida. Salve para valer.')).toBeVisible()
    await undo.click()
    await expect.poll(written).toEqual(['pix', 'horario', 'entrega'])
    await expect.element(save).not.toBeInTheDocument()
    expect(requestBodies(screen, SALVAR)).toEqual([])
  })

  it('validates beside the field before calling the server', async () => {
    const screen = abrir()
    await atalhos.nth(2).fill('pix')
    await texts.nth(1).fill(' ')
    await save.click()
    await expect.element(atalhos.nth(2)).toHaveAccessibleDescription('O atalho /pix já está em uso')
    await expect.element(texts.nth(1)).toHaveAccessibleDescription('Escreva o texto')
    await expect.element(texts.nth(1)).toHaveFocus()
    await expectAccessible()
    await atalhos.nth(2).fill('pão!')
    await save.click()
    await expect.element(atalhos.nth(2)).toHaveAccessibleDescription('Use até 30 letras sem acento, números, - ou _')
    expect(requestBodies(screen, SALVAR)).toEqual([])
  })

  it('shows the server’s refusal on its row and keeps the text', async () => {
    const { api } = abrir()
    const detalhes = [{ caminho: 'respostas.1.atalho', mensagem: 'O atalho /novo já está em uso' }]
    api.on(SALVAR, () => refusal(400, 'dadosInvalidos', 'Dados inválidos', { detalhes }))
    await atalhos.nth(1).fill('novo')
    await save.click()
    await expect.element(atalhos.nth(1)).toHaveAccessibleDescription('O atalho /novo já está em uso')
    api.on(SALVAR, () => refusal(503, 'servidorOcupado', 'O servidor está ocupado.'))
    await save.click()
    await expect.element(aviso('O servidor está ocupado.')).toBeVisible()
    await expect.element(atalhos.nth(1)).toHaveValue('novo')
  })

  it('asks before unsaved changes are lost and discards on request', async () => {
    abrir()
    await texts.nth(0).fill('Outra chave')
    await button('Voltar para as conversas').click()
    const pergunta = page.getByRole('alertdialog', { name: 'Sair sem salvar?' })
    await pergunta.getByRole('button', { name: 'Continuar editando' }).click()
    await expect.element(texts.nth(0)).toHaveValue('Outra chave')
    await button('Descartar').click()
    await expect.element(texts.nth(0)).toHaveValue('Nossa chave Pix é pix@aurora.com.br.')
    await texts.nth(0).fill('Outra ainda')
    await page.getByRole('navigation', { name: 'Equipe e resultados' }).getByRole('link', { name: 'Relatório' }).click()
    await pergunta.getByRole('button', { name: 'Sair sem salvar' }).click()
    await expect.element(heading('Relatório')).toBeVisible()
  })

  it('keeps text typed during a save, and the focus', async () => {
    const { api } = abrir()
    let reply = (): void => undefined
    const wait = new Promise<void>((resolve) => (reply = resolve))
    api.on(SALVAR, async ({ body }) => {
      await wait
      return ok(body)
    })
    await texts.nth(1).fill('Das 8h às 18h.')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.element(button('Salvando…')).toBeVisible()
    await userEvent.keyboard(' Menos domingo.')
    reply()
    await expect.element(aviso('Respostas rápidas salvas com sucesso!')).toBeVisible()
    await expect.element(texts.nth(1)).toHaveValue('Das 8h às 18h. Menos domingo.')
    await expect.element(texts.nth(1)).toHaveFocus()
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.element(save).not.toBeInTheDocument()
    await expect.element(texts.nth(1)).toHaveFocus()
  })

  it('shows another window’s save while nothing changed here', async () => {
    const { api } = abrir()
    await expect.element(atalhos.nth(0)).toHaveValue('pix')
    api.on('GET /atendimento/respostas-rapidas', () => ok({ respostas: [RESPOSTAS[2]] }))
    const online = page.getByRole('banner').getByText('Online', { exact: true })
    await expect.element(online).toBeVisible()
    fakeSocket.drop()
    await expect.element(online).not.toBeInTheDocument()
    fakeSocket.restore()
    await expect.poll(written).toEqual(['entrega'])
  })

  function comOutraPessoa({ api }: PanelTestApp) {
    const guardada: { respostas: readonly RespostaRapida[]; numero: number } = { respostas: RESPOSTAS, numero: 1 }
    api.on('GET /atendimento/respostas-rapidas', () =>
      ok({ respostas: guardada.respostas, versao: `v${guardada.numero}` }),
    )
    api.on(SALVAR, ({ body }) => {
      const sent: { readonly respostas: readonly unknown[]; readonly versao?: string } = Object(body)
      const respostas = sent.respostas.map((one) => respostaRapidaSchema.parse(one))
      const { versao } = sent
      if (versao !== `v${guardada.numero}`) return refusal(409, 'conflito', 'Outra pessoa alterou estes dados.')
      guardada.respostas = respostas
      guardada.numero += 1
      return ok({ respostas, versao: `v${guardada.numero}` })
    })
    return {
      guardada,
      salvar: (respostas: readonly RespostaRapida[]): void => {
        guardada.respostas = respostas
        guardada.numero += 1
      },
    }
  }
  const FERIADO = { atalho: 'feriado', texto: 'Não abrimos nos feriados.', setores: [] }

  it('merges the changes here with another person’s save', async () => {
    const screen = abrir()
    const other = comOutraPessoa(screen)
    await texts.nth(0).fill('Pix: loja@aurora.com.br')
    await button('Remover /entrega').click()
    await button('Adicionar resposta').click()
    await userEvent.keyboard('oi')
    await texts.nth(2).fill('Oi! Tudo bem?')
    const deles = { ...HORARIO, texto: 'Atendemos das 9h às 17h.' }
    other.salvar([FERIADO, PIX, deles, ENTREGA])
    await save.click()
    await expect.element(aviso('Respostas rápidas salvas, junto com o que outra pessoa salvou há pouco.')).toBeVisible()
    const minhas = [
      { ...PIX, texto: 'Pix: loja@aurora.com.br' },
      { atalho: 'oi', texto: 'Oi! Tudo bem?', setores: [] },
    ]
    expect(other.guardada.respostas).toEqual([FERIADO, minhas[0], deles, minhas[1]])
    await expect.poll(written).toEqual(['feriado', 'pix', 'horario', 'oi'])
    await expect.element(save).not.toBeInTheDocument()

    // A reorder here includes the new reply.
    await button('Subir /oi').click()
    other.salvar([FERIADO, ...minhas, deles, ENTREGA])
    await save.click()
    await expect.poll(written).toEqual(['feriado', 'pix', 'oi', 'horario', 'entrega'])
    await expect.poll(() => other.guardada.numero).toBe(5)
  })

  it('asks when both people changed a text, or one removed what the other changed', async () => {
    const screen = abrir()
    const other = comOutraPessoa(screen)
    await texts.nth(0).fill('Pix: é o telefone')
    await texts.nth(1).fill('Das 8h às 18h')
    await button('Remover /entrega').click()
    const pix = { ...PIX, texto: 'Pix: é o CNPJ' }
    const entrega = { ...ENTREGA, texto: 'Entregamos em todo lugar.' }
    other.salvar([pix, entrega])
    await save.click()
    await expect.element(aviso(/^Outra pessoa também mudou estas respostas/)).toBeVisible()
    expect(other.guardada.respostas).toEqual([pix, entrega])
    await expect.poll(written).toEqual(['pix', 'horario', 'entrega'])
    await expect.element(texts.nth(0)).toHaveFocus()
    await expect
      .element(texts.nth(0))
      .toHaveAccessibleDescription(
        'Outra pessoa mudou este texto para “Pix: é o CNPJ”. Salve de novo para ficar com o seu.',
      )
    await expect.element(texts.nth(1)).toHaveAccessibleDescription(/^Outra pessoa removeu esta resposta/)
    await expect.element(texts.nth(2)).toHaveAccessibleDescription(/^Você removeu esta resposta, mas/)
    await expectAccessible()
    await button('Remover /entrega').click()
    await save.click()
    await expect.element(aviso('Respostas rápidas salvas com sucesso!')).toBeVisible()
    expect(other.guardada.respostas).toEqual([
      { ...PIX, texto: 'Pix: é o telefone' },
      { ...HORARIO, texto: 'Das 8h às 18h' },
    ])
  })
})
