import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { OpcaoMenu } from '@balcao/contract/entities/config'
import { Paperclip, SendHorizontal, X } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react'
import { notify } from '#shared/avisos.ts'
import { ACCEPTED_FILES, fileRefusal } from '#shared/media/file-choice.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import type { SimuladorSend } from './use-simulador-chat.ts'

export interface SimuladorComposerProps {
  readonly disabled: boolean
  readonly opcoes: readonly OpcaoMenu[]
  readonly onType: () => void
  readonly onSend: (envio: SimuladorSend) => void
}

function useComposer({ disabled, onSend }: SimuladorComposerProps) {
  const [text, setText] = useState('')
  const [arquivo, setArquivo] = useState<File | null>(null)
  const [sender, setSender] = useState<SenderOptions>({ deMim: false, grupo: false })
  const field = useRef<HTMLTextAreaElement>(null)
  const canSend = !disabled && (text.trim() !== '' || arquivo !== null)
  const send = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (!canSend) return
    onSend({ texto: text.trim(), ...sender, arquivo })
    setText('')
    setArquivo(null)
    field.current?.focus()
  }
  return { text, setText, arquivo, setArquivo, sender, setSender, field, canSend, send }
}

const isSendKey = ({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing

export function SimuladorComposer(props: SimuladorComposerProps) {
  const { disabled, opcoes, onType, onSend } = props
  const { text, setText, arquivo, setArquivo, sender, setSender, field, canSend, send } = useComposer(props)
  return (
    <form className="border-t border-line px-3 pt-2.5 pb-1" onSubmit={send}>
      <OpcaoButtons
        opcoes={opcoes}
        disabled={disabled}
        onTap={(reply) => onSend({ texto: reply, ...sender, arquivo: null })}
      />
      {arquivo !== null && <ChosenFile name={arquivo.name} onRemove={() => setArquivo(null)} />}
      <div className="flex items-end gap-1.5">
        <FilePicker onChoose={setArquivo} />
        <label htmlFor="mensagem" className="sr-only">
          Mensagem
        </label>
        <textarea
          ref={field}
          id="mensagem"
          rows={1}
          className="field max-h-32 min-h-11 flex-1 resize-none rounded-3xl px-4 py-2.5 [field-sizing:content]"
          placeholder={sender.deMim ? 'Como a empresa…' : 'Como cliente…'}
          autoComplete="off"
          enterKeyHint="send"
          maxLength={TEXTO_MAXIMO}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            if (!sender.deMim && !sender.grupo && !disabled) onType()
          }}
          onKeyDown={(event) => isSendKey(event) && send(event)}
        />
        <IconButton
          label="Enviar"
          type="submit"
          variant="primary"
          tooltip={false}
          size="touch"
          className="rounded-full"
          disabled={!canSend}
          icon={<SendHorizontal size={18} aria-hidden />}
        />
      </div>
      <SenderSwitches sender={sender} onChange={setSender} />
    </form>
  )
}

function ChosenFile({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <p className="mb-2 flex items-center gap-2 rounded-lg bg-sunken py-1 pr-1 pl-3 text-sm">
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <IconButton label="Tirar o arquivo" tooltip={false} icon={<X size={16} aria-hidden />} onClick={onRemove} />
    </p>
  )
}

type SenderOptions = Pick<SimuladorSend, 'deMim' | 'grupo'>

interface SenderSwitchesProps {
  readonly sender: SenderOptions
  readonly onChange: (sender: SenderOptions) => void
}

function SenderSwitches({ sender, onChange }: SenderSwitchesProps) {
  return (
    <details className="mt-1">
      <summary className="w-fit py-1.5 text-sm font-semibold text-muted">Mais opções</summary>
      <div className="grid gap-3 pt-1 pb-3">
        <Switch
          label="Digitada no celular da empresa"
          hint="Como se o dono respondesse pelo próprio aparelho: o bot se cala nesta conversa."
          on={sender.deMim}
          onChange={(deMim) => onChange({ ...sender, deMim })}
        />
        <Switch
          label="Em um grupo"
          hint="O bot nunca responde em grupos."
          on={sender.grupo}
          onChange={(grupo) => onChange({ ...sender, grupo })}
        />
      </div>
    </details>
  )
}

const QUICK_CLASS = 'min-h-9 min-w-9 flex-none rounded-full border border-line-strong px-3 text-sm font-bold'

interface OpcaoButtonsProps {
  readonly opcoes: readonly OpcaoMenu[]
  readonly disabled: boolean
  readonly onTap: (reply: string) => void
}

function OpcaoButtons({ opcoes, disabled, onTap }: OpcaoButtonsProps) {
  return (
    <div role="group" aria-label="Respostas rápidas" className="relative mb-2 flex gap-1.5 overflow-x-auto">
      {['oi', 'menu'].map((word) => (
        <button key={word} type="button" disabled={disabled} className={QUICK_CLASS} onClick={() => onTap(word)}>
          {word}
        </button>
      ))}
      {opcoes.map(({ numero, titulo }) => (
        <button
          key={numero}
          type="button"
          disabled={disabled}
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

function FilePicker({ onChoose }: { onChoose: (arquivo: File) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const choose = (chosen: File | undefined): void => {
    if (field.current !== null) field.current.value = ''
    if (chosen === undefined) return
    const refusal = fileRefusal(chosen)
    if (refusal === null) onChoose(chosen)
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
