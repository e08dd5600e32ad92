import { defaultConfig } from '@balcao/contract/defaults'
import type { Config, MenuConfig } from '@balcao/contract/entities/config'
import type { BotContext } from '@balcao/engine/context'
import { useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { PreviewPhone } from '#shared/preview/preview-phone.tsx'
import { usePreview } from '#shared/preview/use-preview.ts'
import { expectAccessible } from '#test/axe.ts'

/** Tuesday, 10:12 in São Paulo. */
const AGORA = Date.UTC(2025, 10, 25, 13, 12)
const PADRAO = defaultConfig({ conector: 'simulador', now: '2025-11-25T13:12:00.000Z', year: 2025 })

function contextoCom(menu: Partial<MenuConfig>, resto: Partial<BotContext> = {}): BotContext {
  const config: Config = { ...PADRAO, menu: { ...PADRAO.menu, ...menu } }
  const produtos = [{ id: 'bolo', nome: 'Bolo de fubá', descricao: 'Serve dez fatias', preco: 32 }]
  return { config, empresa: 'Padaria do Teste', produtos, iaAvailable: false, ...resto }
}

function Banco({ contexto }: { contexto: BotContext }) {
  const [destaque, setDestaque] = useState<string | null>(null)
  const preview = usePreview(contexto, { now: AGORA })
  return (
    <>
      <h1>Prévia</h1>
      <PreviewPhone preview={preview} highlighted={destaque} onOptionHighlighted={setDestaque} />
      <button type="button" onClick={() => setDestaque('3')}>
        Apontar a opção 3
      </button>
      <output aria-label="Opção destacada">{destaque ?? 'nenhuma'}</output>
    </>
  )
}

let root: Root
let lugar: HTMLElement

beforeEach(() => {
  lugar = document.createElement('main')
  document.body.append(lugar)
  root = createRoot(lugar)
})

afterEach(() => {
  root.unmount()
  lugar.remove()
})

const abrir = (contexto: BotContext): void => root.render(<Banco contexto={contexto} />)
const conversa = () => page.getByRole('log', { name: 'Mensagens' })
const campo = () => page.getByRole('textbox', { name: 'Teste como cliente' })

async function dizer(texto: string): Promise<void> {
  await campo().fill(texto)
  await userEvent.keyboard('{Enter}')
}

describe('Preview of the bot', () => {
  it('opens with greeting and menu of the draft and a button per option', async () => {
    abrir(contextoCom({ menuPrincipal: 'Balcão de teste' }))
    await expect.element(conversa()).toMatchTextContent('Balcão de teste')
    for (const { numero, titulo } of PADRAO.menu.opcoes) {
      await expect.element(page.getByRole('button', { name: `${numero}: ${titulo}` })).toBeVisible()
    }
  })

  it('applies an unsaved change from the next message and keeps the conversation', async () => {
    abrir(contextoCom({ menuPrincipal: 'Texto antigo' }))
    await expect.element(conversa()).toMatchTextContent('Texto antigo')
    abrir(contextoCom({ menuPrincipal: 'Texto novo' }))
    await expect.element(conversa()).not.toMatchTextContent('Texto novo')
    await dizer('menu')
    await expect.element(conversa()).toMatchTextContent('Texto novo')
    await expect.element(conversa()).toMatchTextContent('Texto antigo')
  })

  it('shows the transfer to a person and lets the user end it', async () => {
    abrir(contextoCom({}))
    await page.getByRole('button', { name: /^2:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Transferido para o setor Geral')
    await page.getByRole('button', { name: 'Finalizar atendimento' }).click()
    await expect.element(conversa()).toMatchTextContent(PADRAO.menu.mensagens.despedida)
    await page.getByRole('button', { name: 'Nota 5' }).click()
    await expect.element(conversa()).toMatchTextContent('Avaliação registrada: nota 5')
  })

  it('shows the end of the conversation', async () => {
    abrir(contextoCom({}))
    await page.getByRole('button', { name: /^0:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Atendimento encerrado')
  })

  it('answers out of hours only in that scenario', async () => {
    const { foraPeriodo } = PADRAO.menu.mensagens
    abrir(contextoCom({}))
    await page.getByRole('button', { name: /^2:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Transferido para o setor Geral')
    await expect.element(conversa()).not.toMatchTextContent(foraPeriodo)
    await page.getByRole('button', { name: 'Recomeçar a conversa' }).click()
    await page.getByRole('radio', { name: 'Fora do horário' }).click()
    await page.getByRole('button', { name: /^2:/ }).click()
    await expect.element(conversa()).toMatchTextContent(foraPeriodo)
  })

  it('keeps the conversation when the clock moves', async () => {
    abrir(contextoCom({ mensagens: { ...PADRAO.menu.mensagens, boasVindas: 'Bem-vinda!' } }))
    await page.getByRole('radio', { name: 'Fora do horário' }).click()
    await page.getByRole('button', { name: /^4:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Nosso horário')
    expect(conversa().element().textContent.split('Bem-vinda!').length).toBe(2)
  })

  it('shows the loja with the produtos of the account', async () => {
    abrir(contextoCom({}))
    await page.getByRole('button', { name: /^3:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Bolo de fubá · R$ 32,00')
    await page.getByRole('button', { name: '1: Bolo de fubá' }).click()
    await expect.element(conversa()).toMatchTextContent('Serve dez fatias')
  })

  it('shows a stand-in instead of an AI answer', async () => {
    abrir(contextoCom({}, { iaAvailable: true }))
    await page.getByRole('button', { name: /^1:/ }).click()
    await dizer('Vocês abrem domingo?')
    await expect.element(conversa()).toMatchTextContent('A IA responderia aqui')
  })

  it('resends the last message with the up arrow', async () => {
    abrir(contextoCom({}))
    await dizer('quero pão')
    await expect.element(conversa()).toMatchTextContent('quero pão')
    await campo().click()
    await userEvent.keyboard('{ArrowUp}')
    await expect.poll(() => conversa().getByText('quero pão', { exact: true }).elements().length).toBe(2)
  })

  it('restarts from the greeting', async () => {
    abrir(contextoCom({}))
    await dizer('xyz')
    await expect.element(conversa()).toMatchTextContent('xyz')
    await page.getByRole('button', { name: 'Recomeçar a conversa' }).click()
    await expect.element(conversa()).not.toMatchTextContent('xyz')
    await expect.element(conversa()).toMatchTextContent('Menu principal')
  })

  it('shows the pending bot text when another message is sent', async () => {
    abrir(contextoCom({}))
    await dizer('xyz')
    await dizer('abc')
    await expect.element(conversa()).toMatchTextContent(/xyz[\s\S]*Não entendi[\s\S]*abc/)
  })

  it('highlights an option on both sides', async () => {
    abrir(contextoCom({}))
    const linha = () => lugar.querySelector('[data-opcao="3"]')
    await page.getByRole('button', { name: 'Apontar a opção 3' }).click()
    await expect.poll(() => linha()?.getAttribute('data-destacada')).toBe('true')
    const segunda = lugar.querySelector('[data-opcao="2"]')
    if (segunda !== null) await userEvent.hover(segunda)
    await expect.element(page.getByRole('status', { name: 'Opção destacada' })).toMatchTextContent('2')
    expect(linha()?.getAttribute('data-destacada')).toBe('false')
  })

  it('renders the marks of WhatsApp', async () => {
    abrir(contextoCom({ menuPrincipal: 'Hoje *negrito* e _itálico_ e ~riscado~, 2*3*4' }))
    await expect.element(conversa().getByText('negrito')).toBeVisible()
    const marcas = [...lugar.querySelectorAll('strong, em, s')].map(
      ({ tagName, textContent }) => `${tagName} ${textContent}`,
    )
    expect(marcas).toEqual(expect.arrayContaining(['STRONG negrito', 'EM itálico', 'S riscado']))
    await expect.element(conversa()).toMatchTextContent('2*3*4')
  })

  it('passes axe', async () => {
    abrir(contextoCom({}))
    await page.getByRole('button', { name: /^2:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Transferido para o setor Geral')
    await expectAccessible()
  })
})
