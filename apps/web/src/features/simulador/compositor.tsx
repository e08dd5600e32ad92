import { IMAGEM_MAXIMO_BYTES, TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { OpcaoMenu } from '@balcao/contract/entities/config'
import { ImagePlus, SendHorizontal, X } from 'lucide-react'
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { avisar } from '#shared/avisos.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import type { Envio } from './use-conversa.ts'

export interface CompositorProps {
  /** Nobody to write as: the telephone is not one. */
  readonly bloqueado: boolean
  readonly opcoes: readonly OpcaoMenu[]
  readonly onEnviar: (envio: Envio) => void
}

/** What a customer would type: Enter sends, Shift+Enter breaks the line, the menu's numbers are one touch away. */
export function Compositor({ bloqueado, opcoes, onEnviar }: CompositorProps) {
  const [texto, setTexto] = useState('')
  const [imagem, setImagem] = useState<File | null>(null)
  const [deMim, setDeMim] = useState(false)
  const [grupo, setGrupo] = useState(false)
  const campo = useRef<HTMLTextAreaElement>(null)
  const podeEnviar = !bloqueado && (texto.trim() !== '' || imagem !== null)

  const enviar = (): void => {
    if (!podeEnviar) return
    onEnviar({ texto: texto.trim(), deMim, grupo, imagem })
    setTexto('')
    setImagem(null)
    campo.current?.focus()
  }
  const teclar = (evento: KeyboardEvent): void => {
    if (evento.key !== 'Enter' || evento.shiftKey || evento.nativeEvent.isComposing) return
    evento.preventDefault()
    enviar()
  }
  return (
    <form
      className="border-t border-line px-3 pt-2.5 pb-1"
      onSubmit={(evento: FormEvent) => {
        evento.preventDefault()
        enviar()
      }}
    >
      <RespostasRapidas
        opcoes={opcoes}
        bloqueado={bloqueado}
        onTocar={(resposta) => onEnviar({ texto: resposta, deMim, grupo, imagem: null })}
      />
      {imagem !== null && (
        <p className="mb-2 flex items-center gap-2 rounded-lg bg-sunken py-1 pr-1 pl-3 text-sm">
          <span className="min-w-0 flex-1 truncate">{imagem.name}</span>
          <IconButton
            rotulo="Tirar a imagem"
            dica={false}
            icone={<X size={16} aria-hidden />}
            onClick={() => setImagem(null)}
          />
        </p>
      )}
      <div className="flex items-end gap-1.5">
        <EscolherImagem onEscolher={setImagem} />
        <label htmlFor="mensagem" className="sr-only">
          Mensagem
        </label>
        <textarea
          ref={campo}
          id="mensagem"
          rows={1}
          className="field max-h-32 min-h-11 flex-1 resize-none rounded-3xl px-4 py-2.5 [field-sizing:content]"
          placeholder={deMim ? 'Como a empresa…' : 'Como cliente…'}
          autoComplete="off"
          enterKeyHint="send"
          maxLength={TEXTO_MAXIMO}
          value={texto}
          onChange={({ currentTarget }) => setTexto(currentTarget.value)}
          onKeyDown={teclar}
        />
        <IconButton
          rotulo="Enviar"
          type="submit"
          variante="primary"
          dica={false}
          className="!size-11 rounded-full"
          disabled={!podeEnviar}
          icone={<SendHorizontal size={18} aria-hidden />}
        />
      </div>
      <details className="mt-1">
        <summary className="w-fit py-1.5 text-sm font-semibold text-muted">Mais opções</summary>
        <div className="grid gap-3 pt-1 pb-3">
          <Switch
            rotulo="Digitada no celular da empresa"
            dica="Como se o dono respondesse pelo próprio aparelho: o bot se cala nesta conversa."
            ligado={deMim}
            onMudar={setDeMim}
          />
          <Switch rotulo="Em um grupo" dica="O bot nunca responde em grupos." ligado={grupo} onMudar={setGrupo} />
        </div>
      </details>
    </form>
  )
}

const RAPIDA = 'min-h-9 min-w-9 flex-none rounded-full border border-line-strong px-3 text-sm font-bold'

interface RespostasRapidasProps {
  readonly opcoes: readonly OpcaoMenu[]
  readonly bloqueado: boolean
  readonly onTocar: (resposta: string) => void
}

function RespostasRapidas({ opcoes, bloqueado, onTocar }: RespostasRapidasProps) {
  return (
    <div role="group" aria-label="Respostas rápidas" className="relative mb-2 flex gap-1.5 overflow-x-auto">
      {['oi', 'menu'].map((palavra) => (
        <button key={palavra} type="button" disabled={bloqueado} className={RAPIDA} onClick={() => onTocar(palavra)}>
          {palavra}
        </button>
      ))}
      {opcoes.map(({ numero, titulo }) => (
        <button
          key={numero}
          type="button"
          disabled={bloqueado}
          aria-label={`${numero}, ${titulo}`}
          title={titulo}
          className={RAPIDA}
          onClick={() => onTocar(numero)}
        >
          {numero}
        </button>
      ))}
    </div>
  )
}

function EscolherImagem({ onEscolher }: { onEscolher: (imagem: File) => void }) {
  const arquivo = useRef<HTMLInputElement>(null)
  const escolher = (escolhida: File | undefined): void => {
    if (arquivo.current !== null) arquivo.current.value = ''
    if (escolhida === undefined) return
    if (!escolhida.type.startsWith('image/')) avisar.erro('Apenas arquivos de imagem são permitidos')
    else if (escolhida.size > IMAGEM_MAXIMO_BYTES) avisar.erro('Imagem deve ter no máximo 5MB')
    else onEscolher(escolhida)
  }
  return (
    <>
      <input
        ref={arquivo}
        type="file"
        accept="image/*"
        hidden
        aria-label="Imagem"
        onChange={({ currentTarget }) => escolher(currentTarget.files?.[0])}
      />
      <IconButton
        rotulo="Anexar imagem"
        dica={false}
        title="Anexar imagem"
        className="!size-11 rounded-full"
        icone={<ImagePlus size={20} aria-hidden />}
        onClick={() => arquivo.current?.click()}
      />
    </>
  )
}
