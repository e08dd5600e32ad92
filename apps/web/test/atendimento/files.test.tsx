import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { describe, expect, it } from 'vitest'
import { ok } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { makeConversa, makeMensagem } from './sample-conversas.ts'
import { type AtendimentoTestApp, chat, conversaRow, setupAtendimento, waitForSocket } from './tab.ts'

/** Files of a chat. The addresses answer 404: the test server has no files. */

const open = setupAtendimento()

const FAR = Math.floor(Date.now() / 1000) + 3_600
const address = (name: string, end: number, signature: string): string =>
  `/api/midias/${name}.pdf?e=${end}&a=${signature}`
const withFile = (id: string, url: string, fields: Partial<Mensagem> = {}): Mensagem =>
  makeMensagem({ id, texto: '', midia: { tipo: 'documento', url, nomeArquivo: `${id}.pdf` }, ...fields })
const picture = (id: string, url: string): Mensagem => ({
  ...withFile(id, url),
  midia: { tipo: 'imagem', url, nomeArquivo: `${id}.png` },
})
const link = (name: string) => chat.getByRole('link', { name: new RegExp(name) })

function openChat(...mensagens: readonly Mensagem[]): AtendimentoTestApp {
  return open({ open: [makeConversa({ mensagens: [...mensagens] })] })
}

describe('the address of a file in the chat', () => {
  it('stays the same while it works, whatever the server signs next', async () => {
    const first = address('a', FAR, 'um')
    openChat(withFile('m1', first, { tipo: 'enviada', origem: 'operador', estado: 'enviada' }))
    await conversaRow('Marina').click()
    await expect.element(link('m1')).toHaveAttribute('href', first)
    await waitForSocket()
    const read = withFile('m1', address('a', FAR, 'dois'), { tipo: 'enviada', origem: 'operador', estado: 'lida' })
    fakeSocket.emit('mensagemConversaHumana', { userId: CONTA_ID, conversaId: 'c1', mensagem: read })
    await expect.element(chat.getByText('Lida')).toBeInTheDocument()
    await expect.element(link('m1')).toHaveAttribute('href', first)
  })

  it('is replaced by the next one after it ended', async () => {
    openChat(withFile('m1', address('a', 1, 'um'), { tipo: 'enviada', origem: 'operador', estado: 'enviada' }))
    await conversaRow('Marina').click()
    await waitForSocket()
    const fresh = address('a', FAR, 'dois')
    const read = withFile('m1', fresh, { tipo: 'enviada', origem: 'operador', estado: 'lida' })
    fakeSocket.emit('mensagemConversaHumana', { userId: CONTA_ID, conversaId: 'c1', mensagem: read })
    await expect.element(link('m1')).toHaveAttribute('href', fresh)
  })

  it('is read again when pictures do not load, at most once for each', async () => {
    const ended = ['m1', 'm2', 'm3'].map((id) => picture(id, address(id, FAR, 'velha')))
    const app = openChat(...ended)
    const fresh = ended.map((mensagem) => picture(mensagem.id, address(mensagem.id, FAR, 'nova')))
    let rereads = 0
    app.api.on('GET /atendimento/conversas/c1/mensagens', ({ url }) => {
      if (url.searchParams.get('limite') !== '200') return ok({ mensagens: ended })
      rereads += 1
      return ok({ mensagens: fresh })
    })
    await conversaRow('Marina').click()
    // The fresh addresses fail here too, so the pictures become links to them.
    for (const { id, midia } of fresh) await expect.element(link(id)).toHaveAttribute('href', midia?.url ?? '')
    expect(rereads).toBeGreaterThan(0)
    expect(rereads).toBeLessThanOrEqual(fresh.length)
  })

  it('is not kept in the copy of this device', async () => {
    openChat(withFile('m1', address('a', FAR, 'um')))
    await expect.element(conversaRow('Marina')).toBeVisible()
    const copy = (): string => localStorage.getItem(`copia:conversas:${CONTA_ID}`) ?? ''
    await expect.poll(copy).toContain('m1.pdf')
    expect(copy()).not.toContain('/api/midias')
  })
})
