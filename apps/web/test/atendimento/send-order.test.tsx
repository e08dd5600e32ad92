import '../dashboard/fake-socket.ts'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { makeSentMensagem } from './sample-conversas.ts'
import {
  aviso,
  button,
  chat,
  emitCustomerMensagem,
  composer,
  createGate,
  waitForSocket,
  setupAtendimento,
} from './tab.ts'

const open = setupAtendimento()

function textOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'mensagem' in body ? String(body.mensagem) : ''
}

async function sendFile(): Promise<void> {
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File(['x'], 'nota.pdf', { type: 'application/pdf' }))
  composer.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  await page.getByRole('dialog').getByRole('button', { name: 'Enviar arquivo' }).click()
  await expect.element(chat.getByText('nota.pdf')).toBeVisible()
}

it('sends texts and files of one conversa in the order written, despite a failure', async () => {
  const { api } = open({}, '/dashboard?aba=atendimento&c=c2')
  await waitForSocket()
  const done: string[] = []
  const ports = { primeiro: createGate(), arquivo: createGate() }
  api.on('POST /atendimento/conversas/c2/mensagem', async ({ body }) => {
    const text = textOf(body)
    done.push(`sai ${text}`)
    if (text === 'Segue a nota') await ports.primeiro.wait
    done.push(`chega ${text}`)
    return ok({ mensagem: makeSentMensagem(text), conversaId: 'c2' })
  })
  api.on('POST /atendimento/conversas/c2/midia', async () => {
    done.push('sai o arquivo')
    await ports.arquivo.wait
    done.push('falha o arquivo')
    return refusal(503, 'servidorOcupado', 'O servidor está ocupado.')
  })

  await composer.fill('Segue a nota')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => done).toEqual(['sai Segue a nota'])
  await sendFile()
  expect(done).toHaveLength(1)
  ports.primeiro.open()
  await expect.poll(() => done).toContain('sai o arquivo')

  await expect.element(button('Enviar')).toBeVisible()
  await composer.fill('Vence amanhã')
  await userEvent.keyboard('{Enter}')
  await expect.element(chat.getByText('Vence amanhã')).toBeVisible()
  await expect.element(button('Enviando...')).toBeDisabled()
  // The bot sends the same text meanwhile; it must not confirm the pending message.
  emitCustomerMensagem('c2', { texto: 'Vence amanhã', tipo: 'enviada', origem: 'bot', remetente: 'Bot' })
  await expect.poll(() => chat.getByText('Vence amanhã').elements().length).toBe(2)
  expect(done.at(-1)).toBe('sai o arquivo')

  ports.arquivo.open()
  await expect.element(aviso('Erro ao enviar arquivo: O servidor está ocupado.')).toBeVisible()
  await expect.poll(() => done.at(-1)).toBe('chega Vence amanhã')
  const text = ['sai Segue a nota', 'chega Segue a nota']
  expect(done).toEqual([...text, 'sai o arquivo', 'falha o arquivo', 'sai Vence amanhã', 'chega Vence amanhã'])
  await expect.element(chat.getByRole('button', { name: 'Descartar' })).toBeVisible()
  await expect.element(button('Enviar')).toBeVisible()
  await expect.element(composer).toHaveValue('')
})
