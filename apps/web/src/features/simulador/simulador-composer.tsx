import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { OpcaoMenu } from '@balcao/contract/entities/config'
import { Paperclip, SendHorizontal, X } from 'lucide-react'
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { notify } from '#shared/avisos.ts'
import { ACCEPTED_FILES, fileRefusal } from '#shared/media/file-choice.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import type { SimuladorSend } from './use-simulador-chat.ts'

export interface SimuladorComposerProps {
  /** The phone number is invalid. */
  readonly disabled: boolean
  readonly opcoes: readonly OpcaoMenu[]
  /** Called for keys typed as the customer, not as the dono or a group. */
  readonly onType: () => void
  readonly onSend: (envio: SimuladorSend) => void
}

export function SimuladorComposer({ disabled: blocked, opcoes, onType, onSend }: SimuladorComposerProps) {
  const [text, setTexto] = useState('')
  const [arquivo, setArquivo] = useState<File | null>(null)
  const [deMim, setDeMim] = useState(false)
  const [grupo, setGrupo] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const podeEnviar = !blocked && (text.trim() !== '' || arquivo !== null)

  const send = (): void => {
    if (!podeEnviar) return
    onSend({ texto: text.trim(), deMim, grupo, arquivo })
    setTexto('')
    setArquivo(null)
    field.current?.focus()
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="border-t border-line px-3 pt-2.5 pb-1"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        send()
      }}
    >
      <OpcaoButtons
        opcoes={opcoes}
        disabled={blocked}
        onTap={(reply) => onSend({ texto: reply, deMim, grupo, arquivo: null })}
      />
      {arquivo !== null && (
        <p className="mb-2 flex items-center gap-2 rounded-lg bg-sunken py-1 pr-1 pl-3 text-sm">
          <span className="min-w-0 flex-1 truncate">{arquivo.name}</span>
          <IconButton
            label="Tirar o arquivo"
            tooltip={false}
            icon={<X size={16} aria-hidden />}
            onClick={() => setArquivo(null)}
          />
        </p>
      )}
      <div className="flex items-end gap-1.5">
        <FilePicker onEscolher={setArquivo} />
        <label htmlFor="mensagem" className="sr-only">
          Mensagem
        </label>
        <textarea
          ref={field}
          id="mensagem"
          rows={1}
          className="field max-h-32 min-h-11 flex-1 resize-none rounded-3xl px-4 py-2.5 [field-sizing:content]"
          placeholder={deMim ? 'Como a empresa…' : 'Como cliente…'}
          autoComplete="off"
          enterKeyHint="send"
          maxLength={TEXTO_MAXIMO}
          value={text}
          onChange={({ currentTarget }) => {
            setTexto(currentTarget.value)
            if (!deMim && !grupo && !blocked) onType()
          }}
          onKeyDown={press}
        />
        <IconButton
          label="Enviar"
          type="submit"
          variant="primary"
          tooltip={false}
          size="touch"
          className="rounded-full"
          disabled={!podeEnviar}
          icon={<SendHorizontal size={18} aria-hidden />}
        />
      </div>
      <details className="mt-1">
        <summary className="w-fit py-1.5 text-sm font-semibold text-muted">Mais opções</summary>
        <div className="grid gap-3 pt-1 pb-3">
          <Switch
            label="Digitada no celular da empresa"
            hint="Como se o dono respondesse pelo próprio aparelho: o bot se cala nesta conversa."
            on={deMim}
            onChange={setDeMim}
          />
          <Switch label="Em um grupo" hint="O bot nunca responde em grupos." on={grupo} onChange={setGrupo} />
        </div>
      </details>
    </form>
  )
}

const QUICK_CLASS = 'min-h-9 min-w-9 flex-none rounded-full border border-line-strong px-3 text-sm font-bold'

interface OpcaoButtonsProps {
  readonly opcoes: readonly OpcaoMenu[]
  readonly disabled: boolean
  readonly onTap: (reply: string) => void
}

function OpcaoButtons({ opcoes, disabled: blocked, onTap }: OpcaoButtonsProps) {
  return (
    <div role="group" aria-label="Respostas rápidas" className="relative mb-2 flex gap-1.5 overflow-x-auto">
      {['oi', 'menu'].map((word) => (
        <button key={word} type="button" disabled={blocked} className={QUICK_CLASS} onClick={() => onTap(word)}>
          {word}
        </button>
      ))}
      {opcoes.map(({ numero, titulo }) => (
        <button
          key={numero}
          type="button"
          disabled={blocked}
          aria-label={`${numero}, ${titulo}`}
          title={titulo}
          className={QUICK_CLASS}
          onClick={() => onTap(numero)}
        >
          {numero}
        </button>
      ))}
    </div>
  )
}

function FilePicker({ onEscolher }: { onEscolher: (arquivo: File) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const choose = (chosen: File | undefined): void => {
    if (field.current !== null) field.current.value = ''
    if (chosen === undefined) return
    const refusal = fileRefusal(chosen)
    if (refusal === null) onEscolher(chosen)
    else notify.erro(refusal)
  }
  return (
    <>
      <input
        ref={field}
        type="file"
        accept={ACCEPTED_FILES}
        hidden
        aria-label="Arquivo"
        onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
      />
      <IconButton
        label="Anexar foto, áudio ou documento"
        tooltip={false}
        title="Anexar foto, áudio ou documento"
        size="touch"
        className="rounded-full"
        icon={<Paperclip size={20} aria-hidden />}
        onClick={() => field.current?.click()}
      />
    </>
  )
}
