import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { Transcricao } from '@balcao/contract/entities/mensagem'
import { expect, it } from 'vitest'
import { expectAccessible } from '#test/axe.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { makeConversa, makeMensagem } from './sample-conversas.ts'
import { chat, setupAtendimento, waitForSocket } from './tab.ts'

const open = setupAtendimento()

const voice = (id: string, revisao: number, transcricao: Transcricao) =>
  makeMensagem({
    ...{ id, texto: '', revisao, transcricao },
    midia: { tipo: 'audio', url: `/api/midias/${id}.ogg`, mimeType: 'audio/ogg' },
  })

it('shows the transcript below its voice note when it arrives', async () => {
  const mensagens = [
    voice('m1', 0, { texto: '', estado: 'pendente' }),
    voice('m2', 1, { texto: '', estado: 'falhou' }),
    voice('m3', 1, { texto: 'Quero dois pudins', estado: 'pronta' }),
  ]
  open({ open: [makeConversa({ mensagens })] }, '/dashboard?aba=atendimento&c=c1')
  await expect.element(chat.getByText('Transcrevendo o áudio…')).toBeVisible()
  await expect.element(chat.getByText('Não foi possível transcrever este áudio.')).toBeVisible()
  await expect.element(chat.getByText('Quero dois pudins')).toBeVisible()
  await waitForSocket()
  const mensagem = voice('m1', 1, { texto: 'Tem bolo de fubá hoje?', estado: 'pronta' })
  fakeSocket.emit('mensagemConversaHumana', { userId: CONTA_ID, conversaId: 'c1', mensagem, marcada: true })
  await expect.element(chat.getByText('Tem bolo de fubá hoje?')).toBeVisible()
  await expect.element(chat.getByText('Transcrevendo o áudio…')).not.toBeInTheDocument()
  await expectAccessible()
})
