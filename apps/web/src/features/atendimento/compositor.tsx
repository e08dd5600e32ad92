import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { Mic, Paperclip, SendHorizontal } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { avisarQueDigito } from './digitando.ts'
import { usePendentes } from './pendentes.ts'
import { escreverRascunho, useRascunho } from './rascunhos.ts'
import type { LimiteDoDia } from './receber.ts'
import { RespostasRapidas, useRespostasRapidas } from './respostas-rapidas.tsx'
import { useLimiteLevantado } from './use-limite.ts'
import { comOutraPessoa } from './vez.ts'

/** Filters the file picker only. The server detects the real type from the bytes. */
const ACEITOS =
  'image/png,image/jpeg,image/webp,application/pdf,audio/*,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.txt,.csv'

const Gravador = lazy(async () => ({ default: (await import('./gravador.tsx')).Gravador }))

function useOnline(): boolean {
  return useSyncExternalStore(
    (ouvinte) => {
      addEventListener('online', ouvinte)
      addEventListener('offline', ouvinte)
      return () => {
        removeEventListener('online', ouvinte)
        removeEventListener('offline', ouvinte)
      }
    },
    () => navigator.onLine,
  )
}

export interface CompositorProps {
  readonly conversa: Conversa
  readonly limite: LimiteDoDia | null
  readonly copia: boolean
  readonly children: ReactNode
  readonly onEnviar: (texto: string) => void
  readonly onAnexar: (arquivos: readonly File[]) => void
  readonly onAudio: (arquivo: File) => void
  readonly onSair: () => void
}

function motivoDe({ conversa, copia }: CompositorProps, meuId: string, online: boolean): string | null {
  if (conversa.status === 'finalizada') return 'Esta conversa foi finalizada. Ela pode ser lida, não respondida.'
  if (copia) return 'Sem contato com o servidor: esta é a cópia guardada neste aparelho.'
  if (comOutraPessoa(conversa, meuId)) {
    return `${conversa.operador ?? 'Outra pessoa'} está atendendo. Para responder, transfira a conversa e assuma.`
  }
  return online ? null : 'Sem internet: o que você escrever fica guardado aqui até poder enviar.'
}

function AvisoDoLimite({ limite: { usado, limite, resetEm } }: { limite: LimiteDoDia }) {
  useLimiteLevantado()
  return (
    <p role="status" className="mb-2 rounded-lg bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
      Limite diário {formatNumber(usado)}/{formatNumber(limite)} · volta em {formatDateTime(resetEm)}
    </p>
  )
}

function Avisos({ limite, motivo }: { limite: LimiteDoDia | null; motivo: string | null }) {
  return (
    <>
      {limite !== null && <AvisoDoLimite limite={limite} />}
      {motivo !== null && (
        <p role="status" className="mb-2 rounded-lg bg-sunken px-3 py-2 text-sm text-muted">
          {motivo}
        </p>
      )}
    </>
  )
}

/** After PARAR only the bot stops sending until VOLTAR. An operador can still send. */
function SoPessoas() {
  return (
    <p role="note" className="mb-1 px-1 text-xs text-muted">
      O bot não envia nada até VOLTAR. Você, sim.
    </p>
  )
}

function BotaoDeAnexar({ desligado, onAnexar }: { desligado: boolean; onAnexar: (arquivos: readonly File[]) => void }) {
  const campo = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        rotulo="Anexar arquivo"
        className="!size-11 flex-none"
        disabled={desligado}
        icone={<Paperclip size={20} aria-hidden />}
        onClick={() => campo.current?.click()}
      />
      <input
        ref={campo}
        type="file"
        multiple
        hidden
        accept={ACEITOS}
        aria-label="Escolher arquivos"
        onChange={({ currentTarget }) => {
          onAnexar([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Enter sends, Shift+Enter breaks the line, `/` opens the quick replies. The draft is kept per conversa. */
export function Compositor(props: CompositorProps) {
  const { conversa, limite, children, onEnviar, onAnexar, onAudio, onSair } = props
  const campo = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const texto = useRascunho(conversa.id)
  const enviando = usePendentes(conversa.id).some(({ mensagem }) => mensagem.midia === undefined)
  const motivo = motivoDe(props, useUsuario().id, useOnline())
  const amplo = useMediaQuery('(min-width: 96rem)')
  const [gravando, setGravando] = useState(false)
  const livre = motivo === null && limite === null
  const podeEnviar = livre && !enviando && texto.trim() !== ''

  const mudar = (novo: string): void => {
    escreverRascunho(conversa.id, novo)
    if (livre && novo.trim() !== '' && !novo.startsWith('/')) avisarQueDigito(conversa.id)
  }
  const usar = (pronta: string): void => {
    mudar(pronta)
    campo.current?.focus()
  }
  const respostas = useRespostasRapidas(texto, usar)
  const enviar = (): void => {
    if (!podeEnviar) return
    onEnviar(texto.trim())
    campo.current?.focus()
  }
  const teclar = (evento: KeyboardEvent): void => {
    if (evento.nativeEvent.isComposing || respostas.teclar(evento)) return
    if (evento.key === 'Escape') {
      evento.stopPropagation()
      if (respostas.achadas === null) onSair()
      else mudar('')
    } else if (evento.key === 'Enter' && !evento.shiftKey) {
      evento.preventDefault()
      enviar()
    }
  }
  const colar = (evento: ClipboardEvent): void => {
    const arquivos = [...evento.clipboardData.files]
    if (arquivos.length === 0 || !livre) return
    evento.preventDefault()
    onAnexar(arquivos)
  }
  const fecharGravador = (): void => {
    setGravando(false)
    requestAnimationFrame(() => campo.current?.focus())
  }
  const aberta = (respostas.achadas?.length ?? 0) > 0
  return (
    <div className="bg-surface p-2 sm:p-3">
      <Avisos limite={limite} motivo={motivo} />
      {conversa.pediuParada === true && conversa.status !== 'finalizada' && <SoPessoas />}
      {children}
      <RespostasRapidas id={id} lista={respostas} onUsar={usar} />
      {gravando && (
        <Suspense>
          <Gravador
            onFechar={fecharGravador}
            onEnviar={(arquivo) => {
              onAudio(arquivo)
              fecharGravador()
            }}
          />
        </Suspense>
      )}
      <form
        className="flex items-end gap-1 sm:gap-2"
        hidden={gravando}
        onSubmit={(evento) => {
          evento.preventDefault()
          enviar()
        }}
      >
        <BotaoDeAnexar desligado={!livre} onAnexar={onAnexar} />
        <label htmlFor={`${id}-campo`} className="sr-only">
          Mensagem para {conversa.cliente.nome}
        </label>
        <textarea
          ref={campo}
          id={`${id}-campo`}
          data-compositor
          rows={1}
          className="field max-h-36 min-h-11 min-w-0 flex-1 resize-none [field-sizing:content] placeholder:truncate"
          placeholder={amplo ? 'Escreva, ou / para respostas prontas' : 'Escreva ou digite /'}
          autoComplete="off"
          enterKeyHint="send"
          maxLength={TEXTO_MAXIMO}
          disabled={conversa.status === 'finalizada' || limite !== null}
          aria-controls={aberta ? id : undefined}
          aria-activedescendant={aberta ? `${id}-${respostas.escolhida}` : undefined}
          value={texto}
          onChange={({ currentTarget }) => mudar(currentTarget.value)}
          onKeyDown={teclar}
          onPaste={colar}
        />
        {texto === '' && (
          <IconButton
            rotulo="Gravar áudio"
            className="!size-11 flex-none"
            disabled={!livre}
            icone={<Mic size={20} aria-hidden />}
            onClick={() => setGravando(true)}
          />
        )}
        <Button
          type="submit"
          variante="primary"
          className="min-h-11 flex-none"
          disabled={!podeEnviar}
          ocupado={enviando}
        >
          {!enviando && <SendHorizontal size={18} aria-hidden />}
          <span className="max-sm:sr-only">{enviando ? 'Enviando...' : 'Enviar'}</span>
        </Button>
      </form>
    </div>
  )
}
