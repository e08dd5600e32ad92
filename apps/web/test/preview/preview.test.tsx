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

function contextoCom(menu: Partial<MenuConfig>, rest: Partial<BotContext> = {}): BotContext {
  const config: Config = { ...PADRAO, menu: { ...PADRAO.menu, ...menu } }
  const produtos = [{ id: 'bolo', nome: 'Bolo de fubá', descricao: 'Serve dez fatias', preco: 32 }]
  return { config, empresa: 'Padaria do Teste', produtos, iaAvailable: false, ...rest }
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
let place: HTMLElement

beforeEach(() => {
  place = document.createElement('main')
  document.body.append(place)
  root = createRoot(place)
})

afterEach(() => {
  root.unmount()
  place.remove()
})

const open = (context: BotContext): void => root.render(<Banco contexto={context} />)
const conversa = () => page.getByRole('log', { name: 'Mensagens' })
const field = () => page.getByRole('textbox', { name: 'Teste como cliente' })

async function dizer(text: string): Promise<void> {
  await field().fill(text)
  await userEvent.keyboard('{Enter}')
}

describe('Preview of the bot', () => {
  it('opens with greeting and menu of the draft and a button per option', async () => {
    open(contextoCom({ menuPrincipal: 'Balcão de teste' }))
    await expect.element(conversa()).toMatchTextContent('Balcão de teste')
    for (const { numero, titulo } of PADRAO.menu.opcoes) {
      await expect.element(page.getByRole('button', { name: `${numero}: ${titulo}` })).toBeVisible()
    }
  })

  it('applies an unsaved change from the next message and keeps the conversation', async () => {
    open(contextoCom({ menuPrincipal: 'Texto antigo' }))
    await expect.element(conversa()).toMatchTextContent('Texto antigo')
    open(contextoCom({ menuPrincipal: 'Texto novo' }))
    await expect.element(conversa()).not.toMatchTextContent('Texto novo')
    await dizer('menu')
    await expect.element(conversa()).toMatchTextContent('Texto novo')
    await expect.element(conversa()).toMatchTextContent('Texto antigo')
  })

  it('shows the transfer to a person and lets the user end it', async () => {
    open(contextoCom({}))
    await page.getByRole('button', { name: /^2:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Transferido para o setor Geral')
    await page.getByRole('button', { name: 'Finalizar atendimento' }).click()
    await expect.element(conversa()).toMatchTextContent(PADRAO.menu.mensagens.despedida)
    await page.getByRole('button', { name: 'Nota 5' }).click()
    await expect.element(conversa()).toMatchTextContent('Avaliação registrada: nota 5')
  })

  it('shows the end of the conversation', async () => {
    open(contextoCom({}))
    await page.getByRole('button', { name: /^0:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Atendimento encerrado')
  })

  it('answers out of hours only in that scenario', async () => {
    const { foraPeriodo } = PADRAO.menu.mensagens
    open(contextoCom({}))
    await page.getByRole('button', { name: /^2:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Transferido para o setor Geral')
    await expect.element(conversa()).not.toMatchTextContent(foraPeriodo)
    await page.getByRole('button', { name: 'Recomeçar a conversa' }).click()
    await page.getByRole('radio', { name: 'Fora do horário' }).click()
    await page.getByRole('button', { name: /^2:/ }).click()
    await expect.element(conversa()).toMatchTextContent(foraPeriodo)
  })

  it('keeps the conversation when the clock moves', async () => {
    open(contextoCom({ mensagens: { ...PADRAO.menu.mensagens, boasVindas: 'Bem-vinda!' } }))
    await page.getByRole('radio', { name: 'Fora do horário' }).click()
    await page.getByRole('button', { name: /^4:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Nosso horário')
    expect(conversa().element().textContent.split('Bem-vinda!').length).toBe(2)
  })

  it('shows the loja with the produtos of the account', async () => {
    open(contextoCom({}))
    await page.getByRole('button', { name: /^3:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Bolo de fubá · R$ 32,00')
    await page.getByRole('button', { name: '1: Bolo de fubá' }).click()
    await expect.element(conversa()).toMatchTextContent('Serve dez fatias')
  })

  it('shows a stand-in instead of an AI answer', async () => {
    open(contextoCom({}, { iaAvailable: true }))
    await page.getByRole('button', { name: /^1:/ }).click()
    await dizer('Vocês abrem domingo?')
    await expect.element(conversa()).toMatchTextContent('A IA responderia aqui')
  })

  it('resends the last message with the up arrow', async () => {
    open(contextoCom({}))
    await dizer('quero pão')
    await expect.element(conversa()).toMatchTextContent('quero pão')
    await field().click()
    await userEvent.keyboard('{ArrowUp}')
    await expect.poll(() => conversa().getByText('quero pão', { exact: true }).elements().length).toBe(2)
  })

  it('restarts from the greeting', async () => {
    open(contextoCom({}))
    await dizer('xyz')
    await expect.element(conversa()).toMatchTextContent('xyz')
    await page.getByRole('button', { name: 'Recomeçar a conversa' }).click()
    await expect.element(conversa()).not.toMatchTextContent('xyz')
    await expect.element(conversa()).toMatchTextContent('Menu principal')
  })

  it('shows the pending bot text when another message is sent', async () => {
    open(contextoCom({}))
    await dizer('xyz')
    await dizer('abc')
    await expect.element(conversa()).toMatchTextContent(/xyz[\s\S]*Não entendi[\s\S]*abc/)
  })

  it('highlights an option on both sides', async () => {
    open(contextoCom({}))
    const line = () => place.querySelector('[data-opcao="3"]')
    await page.getByRole('button', { name: 'Apontar a opção 3' }).click()
    await expect.poll(() => line()?.getAttribute('data-destacada')).toBe('true')
    const second = place.querySelector('[data-opcao="2"]')
    if (second !== null) await userEvent.hover(second)
    await expect.element(page.getByRole('status', { name: 'Opção destacada' })).toMatchTextContent('2')
    expect(line()?.getAttribute('data-destacada')).toBe('false')
  })

  it('renders the marks of WhatsApp', async () => {
    open(contextoCom({ menuPrincipal: 'Hoje *negrito* e _itálico_ e ~riscado~, 2*3*4' }))
    await expect.element(conversa().getByText('negrito')).toBeVisible()
    const marks = [...place.querySelectorAll('strong, em, s')].map(
      ({ tagName, textContent }) => `${tagName} ${textContent}`,
    )
    expect(marks).toEqual(expect.arrayContaining(['STRONG negrito', 'EM itálico', 'S riscado']))
    await expect.element(conversa()).toMatchTextContent('2*3*4')
  })

  it('passes axe', async () => {
    open(contextoCom({}))
    await page.getByRole('button', { name: /^2:/ }).click()
    await expect.element(conversa()).toMatchTextContent('Transferido para o setor Geral')
    await expectAccessible()
  })
})
