import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import {
  ArrowLeft,
  ArrowLeftRight,
  BellOff,
  Bot,
  EllipsisVertical,
  Hand,
  Info,
  MessageCircleDashed,
} from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useOnlineOperadores } from '#shared/data/presence.ts'
import { formatPhone } from '#shared/format.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { Composer } from '#features/atendimento/envio/composer.tsx'
import { CONVERSA_STATUS_LABEL } from '#features/atendimento/lista/filters.ts'
import { MensagemList } from './mensagem-list.tsx'
import { type ChatQuestion, ChatQuestions } from './chat-actions.tsx'
import { writeDraft, readDraft } from '#features/atendimento/envio/drafts.ts'
import { formatWait, minutesSince, useNow } from '#features/atendimento/lista/waiting-time.ts'
import { useAttachments } from '#features/atendimento/use-arquivos.ts'
import { useChatActions } from './use-chat-actions.ts'
import { useSend } from '#features/atendimento/envio/use-send.ts'
import { useMensagemActions } from './use-reactions.ts'
import { isTakenByOther } from '#features/atendimento/vez.ts'
import { markUnread } from '#features/atendimento/lista/unread.ts'

const WhyAnswer = lazy(async () => ({ default: (await import('#shared/ia/why-answer.tsx')).WhyAnswer }))
const MensagemActions = lazy(async () => ({ default: (await import('./mensagem-actions.tsx')).MensagemActions }))
const QuotedMensagem = lazy(async () => ({ default: (await import('./mensagem-actions.tsx')).QuotedMensagem }))
const Attachments = lazy(async () => ({
  default: (await import('#features/atendimento/envio/attachments.tsx')).Attachments,
}))

export interface ChatProps {
  readonly conversa: Conversa
  readonly setor: Pick<Setor, 'nome' | 'cor'>
  readonly setores: readonly Setor[]
  readonly fromCopy: boolean
  readonly wide: boolean
  readonly onClose: () => void
}

function ChatStatus({ conversa, setor }: Pick<ChatProps, 'conversa' | 'setor'>) {
  const now = useNow()
  const { id } = useUsuario()
  const { status, operador, operadorId, aguardandoDesde, cliente } = conversa
  const present = useOnlineOperadores()
  const dele = operadorId !== undefined && operadorId !== id && present.has(operadorId) ? ' (online)' : ''
  const quem = operador === undefined ? '' : ` com ${operadorId === id ? 'você' : `${operador}${dele}`}`
  const situation =
    status === 'aguardando'
      ? `Aguardando há ${formatWait(minutesSince(aguardandoDesde, now)).replace('agora', 'menos de 1 min')}`
      : `${CONVERSA_STATUS_LABEL[status]}${quem}`
  return (
    <p className="truncate text-xs text-muted">
      {situation} · {setor.nome} · {formatPhone(cliente.telefone)}
    </p>
  )
}

/** The AI's prompt is visible only to the dono, and only if the account may use the AI. */
function useCanExplain(): boolean {
  const { tipo, componentesPermitidos } = useUsuario()
  return tipo === 'admin' || (tipo === 'usuario' && componentesPermitidos.iaChatbot)
}

export function Chat(props: ChatProps) {
  const { conversa, setor, fromCopy, wide, onClose: onFechar } = props
  const envio = useSend()
  const acoes = useChatActions()
  const arquivos = useAttachments(conversa)
  const [pergunta, setPergunta] = useState<ChatQuestion>(null)
  const [explicada, setExplicada] = useState<string | null>(null)
  const explica = useCanExplain()
  const titulo = useRef<HTMLHeadingElement>(null)
  const open = conversa.status !== 'finalizada' && !fromCopy
  const podeEscrever = open && envio.limite === null && !isTakenByOther(conversa, useUsuario().id)
  const ocupada = acoes.busyId === conversa.id
  const marks = useMensagemActions(conversa, podeEscrever)
  useEffect(() => titulo.current?.focus({ preventScroll: true }), [])

  // Must stay the same function, or every memoized bubble re-renders.
  const { resend: reenviarAgora } = envio
  const reenviar = useCallback((id: string) => void reenviarAgora(conversa.id, id), [reenviarAgora, conversa.id])

  const enviar = async (text: string): Promise<void> => {
    const { citada } = marks
    marks.citar(null)
    if (!(await envio.send(conversa, text, citada))) marks.citar(citada)
  }
  const enviarArquivos = (escolhidos: readonly File[], caption: string): void => {
    arquivos.enviar(escolhidos, caption, marks.citada)
    marks.citar(null)
  }
  const perguntar = (qual: ChatQuestion) => () => {
    if (open) setPergunta(qual)
  }
  const assumir = async (): Promise<void> => {
    if (open && conversa.status === 'aguardando' && !ocupada) await acoes.take(conversa)
  }
  // The clicked button disappears. With a mouse the focus goes to the field, on touch to the title, so that no
  // keyboard opens.
  const assumirComOPonteiro = async (): Promise<void> => {
    await assumir()
    const field = document.querySelector<HTMLElement>('[data-compositor]')
    if (matchMedia('(pointer: fine)').matches) field?.focus()
    else titulo.current?.focus()
  }
  const deixarParaDepois = (): void => {
    if (!open) return
    markUnread(conversa.id)
    onFechar()
  }
  useHotkeys({
    u: deixarParaDepois,
    a: () => void assumir(),
    t: perguntar('transferir'),
    e: perguntar('finalizar'),
    // Opening the chat focuses the title: Enter jumps from there to the field.
    Enter: (tecla) => {
      if (tecla.target !== titulo.current) return
      tecla.preventDefault()
      document.querySelector<HTMLElement>('[data-compositor]')?.focus()
    },
  })

  const mais: readonly MenuItem[] = [
    ...(wide ? [] : [{ label: 'Detalhes', icon: <Info size={18} aria-hidden />, run: () => setPergunta('detalhes') }]),
    ...(open
      ? [
          {
            label: 'Marcar como não lida',
            icon: <MessageCircleDashed size={18} aria-hidden />,
            run: deixarParaDepois,
          },
          { label: 'Devolver ao bot', icon: <Bot size={18} aria-hidden />, run: perguntar('devolver') },
        ]
      : []),
  ]
  return (
    <section
      aria-labelledby="quem"
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      data-conversa-aberta
      {...(podeEscrever ? arquivos.soltar : {})}
    >
      <header className="flex items-center gap-1 border-b bg-surface px-2 py-1 lg:px-4 lg:py-2">
        <IconButton
          label="Voltar às conversas"
          tooltip={false}
          className="!size-11 lg:hidden"
          icon={<ArrowLeft size={20} aria-hidden />}
          onClick={onFechar}
        />
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-2">
            <h2 id="quem" ref={titulo} tabIndex={-1} className="truncate font-bold outline-none">
              {conversa.cliente.nome}
            </h2>
            {conversa.pediuParada === true && (
              <Chip className="flex-none">
                <BellOff aria-hidden className="size-3.5" /> Pediu PARAR
              </Chip>
            )}
          </div>
          <ChatStatus conversa={conversa} setor={setor} />
        </div>
      </header>
      <MensagemList
        conversa={conversa}
        onResend={open ? reenviar : undefined}
        onWhy={explica ? setExplicada : undefined}
        onActions={marks.abrir}
      />

      <div
        role="group"
        aria-label="Ações da conversa"
        className="pe-do-chat flex items-center gap-1 border-t bg-surface px-2 pt-2 sm:gap-2 sm:px-3"
      >
        {open && conversa.status === 'aguardando' && (
          <Button
            variant="primary"
            className="min-h-11 flex-1 px-2 lg:flex-none lg:px-4"
            busy={ocupada}
            aria-keyshortcuts="a"
            title="Assumir (A)"
            onClick={() => void assumirComOPonteiro()}
          >
            {!ocupada && <Hand size={18} aria-hidden className="max-[21.5rem]:hidden" />} Assumir
          </Button>
        )}
        {open && (
          <>
            <Button
              className="min-h-11 flex-1 px-2 lg:flex-none lg:px-4"
              aria-keyshortcuts="t"
              title="Transferir (T)"
              disabled={ocupada}
              onClick={perguntar('transferir')}
            >
              <ArrowLeftRight size={18} aria-hidden className="max-sm:hidden" /> Transferir
            </Button>
            <Button
              className="min-h-11 flex-1 px-2 lg:flex-none lg:px-4"
              aria-keyshortcuts="e"
              title="Finalizar (E)"
              disabled={ocupada}
              onClick={perguntar('finalizar')}
            >
              Finalizar
            </Button>
          </>
        )}
        {mais.length > 0 && (
          <Menu
            label="Mais ações"
            button={<EllipsisVertical size={20} aria-hidden />}
            items={mais}
            className="btn btn-ghost btn-icon ml-auto !size-11"
          />
        )}
      </div>
      <Composer
        conversa={conversa}
        limite={envio.limite}
        fromCopy={fromCopy}
        onSend={(text) => void enviar(text)}
        onAttach={arquivos.escolher}
        onAudio={(audio) => enviarArquivos([audio], '')}
        onLeave={() => titulo.current?.focus()}
      >
        <Suspense>
          {marks.citada !== null && <QuotedMensagem mensagem={marks.citada} onTirar={() => marks.citar(null)} />}
        </Suspense>
      </Composer>
      {arquivos.sobre && (
        <p className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-2xl border-2 border-dashed border-brand bg-surface/90 text-lg font-bold text-brand-ink">
          Solte para enviar a {conversa.cliente.nome}
        </p>
      )}
      <Suspense>
        {arquivos.escolhidos.length > 0 && (
          <Attachments
            files={arquivos.escolhidos}
            recipient={conversa.cliente.nome}
            quoted={marks.citada}
            initialCaption={readDraft(conversa.id)}
            onChange={arquivos.escolher}
            onClose={() => arquivos.escolher([])}
            onSend={(escolhidos, caption) => {
              writeDraft(conversa.id, '')
              enviarArquivos(escolhidos, caption)
            }}
          />
        )}
        {marks.escolhida !== null && (
          <MensagemActions
            key={marks.escolhida.mensagem.id}
            conversaId={conversa.id}
            chosen={marks.escolhida}
            onReply={marks.citar}
            onClose={marks.fechar}
          />
        )}
        {explicada !== null && <WhyAnswer mensagemId={explicada} onClose={() => setExplicada(null)} />}
      </Suspense>
      <ChatQuestions {...props} actions={acoes} pergunta={pergunta} close={() => setPergunta(null)} />
    </section>
  )
}
