import type { Midia } from '@balcao/contract/entities/mensagem'
import { Download, type Mic } from 'lucide-react'
import { caixaDe } from './caixa.ts'
import { descricao, nomeDaMidia, tipoETamanho } from './palavras.ts'

export interface DocumentoProps {
  readonly midia: Midia
  readonly url: string
  readonly deMim: boolean
  readonly icone: typeof Mic
}

export function Documento({ midia, url, deMim, icone: Icone }: DocumentoProps) {
  const detalhe = tipoETamanho(midia)
  return (
    <a
      href={url}
      download={midia.nomeArquivo ?? ''}
      className={`flex items-center gap-2.5 rounded-lg border border-line bg-surface px-2.5 py-2 text-ink no-underline ${caixaDe(midia)}`}
    >
      <span aria-hidden className="grid size-9 flex-none place-items-center rounded-full bg-brand-soft text-brand-ink">
        <Icone size={18} />
      </span>
      <span className="min-w-0 flex-1 leading-tight">
        <span className="sr-only">{descricao(midia, deMim)}: </span>
        <span className="block truncate text-sm font-semibold">{nomeDaMidia(midia)}</span>
        {detalhe !== '' && <span className="block text-xs text-muted tabular-nums">{detalhe}</span>}
      </span>
      <Download size={18} aria-hidden className="flex-none text-muted" />
    </a>
  )
}
