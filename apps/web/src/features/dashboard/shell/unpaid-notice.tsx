import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import { useLinhas } from '#shared/conta/linhas.ts'
import { Notice } from '#shared/ui/notice.tsx'

const UNPAID: MotivoBot = 'semPagamentoMeta'

/** `main`: the reason of the main line, whose events carry no list of lines. */
export function UnpaidNotice({ main }: { main: MotivoBot | undefined }) {
  const linhas = useLinhas()
  const unpaid = linhas.filter(({ principal, motivo }) => (principal ? main : motivo) === UNPAID)
  if (main !== UNPAID && unpaid.length === 0) return null
  const names = linhas.length > 1 ? unpaid.map(({ nome }) => nome).join(', ') : ''
  return (
    <div className="mb-4 in-[main:has([data-tela-cheia])]:m-2">
      <Notice tone="erro" title={`A Meta recusa mensagens por falta de pagamento${names === '' ? '' : `: ${names}`}`}>
        {/* In the inbox of a phone the conversa needs the room. */}
        <p className="max-sm:in-[main:has([data-tela-cheia])]:hidden">
          {names === '' ? 'O bot e a IA não respondem.' : 'Nesta linha, o bot e a IA não respondem.'} Confira a forma de
          pagamento no Gerenciador do WhatsApp. Depois, responda a um cliente: quando a mensagem sair, o bot volta.
        </p>
      </Notice>
    </div>
  )
}
