import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { resumoDaMensagem } from '@balcao/contract/resumo'

export function Respondendo({ mensagem }: { mensagem: Mensagem }) {
  const { remetente, tipo, edicao, texto, midia } = mensagem
  return (
    <p role="status" className="min-w-0 flex-1 py-1.5 text-sm">
      <span className="block truncate font-semibold text-brand-ink">
        Respondendo a {tipo === 'recebida' ? remetente : 'uma mensagem nossa'}
      </span>
      <span className="block truncate text-muted">
        {resumoDaMensagem({ texto: edicao ?? texto, ...(midia === undefined ? {} : { midia }) })}
      </span>
    </p>
  )
}
