import '../dashboard/fake-socket.ts'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { aviso, button, chat, emitCustomerMensagem, composer, makeSentMensagem, waitForSocket, setupAtendimento } from './aba.ts'

const abrir = setupAtendimento()

interface Porta {
  readonly espera: Promise<void>
  readonly abrir: () => void
}

function porta(): Porta {
  let soltar = (): void => undefined
  const espera = new Promise<void>((resolve) => (soltar = resolve))
  return { espera, abrir: () => soltar() }
}

function textoDe(corpo: unknown): string {
  return typeof corpo === 'object' && corpo !== null && 'mensagem' in corpo ? String(corpo.mensagem) : ''
}

async function mandarArquivo(): Promise<void> {
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File(['x'], 'nota.pdf', { type: 'application/pdf' }))
  composer.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  await page.getByRole('dialog').getByRole('button', { name: 'Enviar arquivo' }).click()
  await expect.element(chat.getByText('nota.pdf')).toBeVisible()
}

it('sends texts and files of one conversa in the order written, despite a failure', async () => {
  const { api } = abrir({}, '/dashboard?aba=atendimento&c=c2')
  await waitForSocket()
  const feito: string[] = []
  const portas = { primeiro: porta(), arquivo: porta() }
  api.on('POST /atendimento/conversas/c2/mensagem', async ({ body }) => {
    const texto = textoDe(body)
    feito.push(`sai ${texto}`)
    if (texto === 'Segue a nota') await portas.primeiro.espera
    feito.push(`chega ${texto}`)
    return ok({ mensagem: makeSentMensagem(texto), conversaId: 'c2' })
  })
  api.on('POST /atendimento/conversas/c2/midia', async () => {
    feito.push('sai o arquivo')
    await portas.arquivo.espera
    feito.push('falha o arquivo')
    return refusal(503, 'servidorOcupado', 'O servidor está ocupado.')
  })

  await composer.fill('Segue a nota')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => feito).toEqual(['sai Segue a nota'])
  await mandarArquivo()
  expect(feito).toHaveLength(1)
  portas.primeiro.abrir()
  await expect.poll(() => feito).toContain('sai o arquivo')

  await expect.element(button('Enviar')).toBeVisible()
  await composer.fill('Vence amanhã')
  await userEvent.keyboard('{Enter}')
  await expect.element(chat.getByText('Vence amanhã')).toBeVisible()
  await expect.element(button('Enviando...')).toBeDisabled()
  // The bot sends the same text meanwhile; it must not confirm the pending message.
  emitCustomerMensagem('c2', { texto: 'Vence amanhã', tipo: 'enviada', origem: 'bot', remetente: 'Bot' })
  await expect.poll(() => chat.getByText('Vence amanhã').elements().length).toBe(2)
  expect(feito.at(-1)).toBe('sai o arquivo')

  portas.arquivo.abrir()
  await expect.element(aviso('Erro ao enviar arquivo: O servidor está ocupado.')).toBeVisible()
  await expect.poll(() => feito.at(-1)).toBe('chega Vence amanhã')
  const texto = ['sai Segue a nota', 'chega Segue a nota']
  expect(feito).toEqual([...texto, 'sai o arquivo', 'falha o arquivo', 'sai Vence amanhã', 'chega Vence amanhã'])
  await expect.element(chat.getByRole('button', { name: 'Descartar' })).toBeVisible()
  await expect.element(button('Enviar')).toBeVisible()
  await expect.element(composer).toHaveValue('')
})
