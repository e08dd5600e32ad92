import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/mensagem-summary'

export function ReplyingTo({ mensagem }: { mensagem: Mensagem }) {
  const { remetente, tipo, edicao, texto, midia } = mensagem
  return (
    <p role="status" className="min-w-0 flex-1 py-1.5 text-sm">
      <span className="block truncate font-semibold text-brand-ink">
        Respondendo a {tipo === 'recebida' ? remetente : 'uma mensagem nossa'}
      </span>
      <span className="block truncate text-muted">
        {summarizeMensagem({ texto: edicao ?? texto, ...(midia === undefined ? {} : { midia }) })}
      </span>
    </p>
  )
}
