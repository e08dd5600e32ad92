import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { FileText, Music, SendHorizontal, X } from 'lucide-react'
import { type SubmitEvent, useCallback, useId, useState } from 'react'
import { useBotStatus } from '#shared/dados/bot-status.ts'
import { formatBytes } from '#shared/midia/palavras.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { recusaDo, tipoDo } from './enviar-midia.ts'
import { Respondendo } from './respondendo.tsx'

function Figura({ arquivo }: { arquivo: File }) {
  const mostrar = useCallback(
    (figura: HTMLImageElement) => {
      const url = URL.createObjectURL(arquivo)
      figura.src = url
      return () => URL.revokeObjectURL(url)
    },
    [arquivo],
  )
  return <img ref={mostrar} alt={arquivo.name} className="mx-auto max-h-[40dvh] max-w-full rounded-lg object-contain" />
}

interface ItemProps {
  readonly arquivo: File
  readonly recusa: string | null
  readonly onTirar: (() => void) | null
}

function Item({ arquivo, recusa, onTirar }: ItemProps) {
  const tipo = tipoDo(arquivo)
  const Icone = tipo === 'audio' ? Music : FileText
  return (
    <li className="rounded-xl border p-2">
      {tipo === 'imagem' && recusa === null && <Figura arquivo={arquivo} />}
      <div className="flex items-center gap-2 pl-1">
        {tipo !== 'imagem' && <Icone size={20} aria-hidden className="flex-none text-muted" />}
        <span className="min-w-0 flex-1 truncate text-sm">
          {arquivo.name} <span className="text-muted">· {formatBytes(arquivo.size)}</span>
        </span>
        {onTirar !== null && (
          <IconButton
            rotulo={`Tirar ${arquivo.name}`}
            dica={false}
            icone={<X size={18} aria-hidden />}
            onClick={onTirar}
          />
        )}
      </div>
      {recusa !== null && (
        <p role="alert" className="p-1 text-sm font-semibold text-danger-ink">
          {recusa}
        </p>
      )}
    </li>
  )
}

export interface AnexarProps {
  readonly arquivos: readonly File[]
  readonly para: string
  readonly citada: Mensagem | null
  /** Text already typed in the composer becomes the caption. */
  readonly legendaInicial: string
  readonly onMudar: (arquivos: readonly File[]) => void
  readonly onEnviar: (arquivos: readonly File[], legenda: string) => void
  readonly onFechar: () => void
}

export function Anexar({ arquivos, para, citada, legendaInicial, onMudar, onEnviar, onFechar }: AnexarProps) {
  const id = useId()
  const [legenda, setLegenda] = useState(legendaInicial)
  const { conector } = useBotStatus().bot
  const bons = arquivos.filter((arquivo) => recusaDo(arquivo, conector) === null)
  const enviar = (evento: SubmitEvent): void => {
    evento.preventDefault()
    if (bons.length > 0) onEnviar(bons, legenda.trim())
  }
  return (
    <Dialog aberto titulo={`Enviar para ${para}`} onFechar={onFechar}>
      <form className="grid gap-4" onSubmit={enviar}>
        {citada !== null && (
          <div className="rounded-lg border-l-4 border-brand bg-sunken px-3">
            <Respondendo mensagem={citada} />
          </div>
        )}
        <ul className="grid gap-2">
          {arquivos.map((arquivo, indice) => (
            <Item
              key={`${arquivo.name} ${arquivo.lastModified} ${arquivo.size}`}
              arquivo={arquivo}
              recusa={recusaDo(arquivo, conector)}
              onTirar={arquivos.length > 1 ? () => onMudar(arquivos.filter((_, i) => i !== indice)) : null}
            />
          ))}
        </ul>
        <div className="grid gap-1">
          <label htmlFor={id} className="text-sm font-semibold">
            Legenda (opcional)
          </label>
          <textarea
            id={id}
            rows={1}
            className="field max-h-32 min-h-11 resize-none [field-sizing:content]"
            maxLength={TEXTO_MAXIMO}
            value={legenda}
            onChange={({ currentTarget }) => setLegenda(currentTarget.value)}
            onKeyDown={(evento) => {
              if (evento.key !== 'Enter' || evento.shiftKey || evento.nativeEvent.isComposing) return
              evento.preventDefault()
              evento.currentTarget.form?.requestSubmit()
            }}
          />
        </div>
        <Button type="submit" variante="primary" className="min-h-11" disabled={bons.length === 0}>
          <SendHorizontal size={18} aria-hidden />{' '}
          {bons.length > 1 ? `Enviar ${bons.length} arquivos` : 'Enviar arquivo'}
        </Button>
      </form>
    </Dialog>
  )
}
