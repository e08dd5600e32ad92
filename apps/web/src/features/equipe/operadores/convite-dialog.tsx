import type { ConviteCriado } from '@balcao/contract/entities/operador'
import { Copy, MessageCircle } from 'lucide-react'
import { notify } from '#shared/avisos.ts'
import { formatDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'

export interface NewConvite extends ConviteCriado {
  readonly nome: string
  readonly email: string
}

function whatsappUrl({ nome, link }: NewConvite): string {
  const [first = nome] = nome.trim().split(/\s+/)
  const text = `Oi, ${first}! Crie a sua senha do nosso painel de atendimento por este link: ${link}`
  return `https://wa.me/?text=${encodeURIComponent(text)}`
}

async function copy(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    notify.sucesso('Link copiado.')
  } catch {
    notify.erro('Não foi possível copiar. Selecione o link e copie.')
  }
}

/** The only time that the panel shows the link. */
export function ConviteDialog({ convite, onClose }: { convite: NewConvite; onClose: () => void }) {
  const { nome, email, link, expiraEm, emailEnviado } = convite
  return (
    <Dialog open width="lg" title={`Convite de ${nome}`} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-muted">
          {emailEnviado
            ? `O link também vai por e-mail para ${email}.`
            : 'Este servidor não envia e-mails: mande o link para a pessoa.'}{' '}
          Vale até {formatDate(expiraEm)}, uma única vez. Quem tem o link cria a senha.
        </p>
        <input
          readOnly
          aria-label="Link do convite"
          value={link}
          className="field font-mono text-sm"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <div className="flex flex-wrap gap-3">
          <Button variant="primary" size="touch" onClick={() => void copy(link)}>
            <Copy size={16} aria-hidden /> Copiar link
          </Button>
          <a
            href={whatsappUrl(convite)}
            target="_blank"
            rel="noopener noreferrer"
            referrerPolicy="no-referrer"
            className="btn btn-outline btn-touch"
          >
            <MessageCircle size={16} aria-hidden /> Mandar pelo WhatsApp
            <span className="sr-only"> (abre em outra aba)</span>
          </a>
        </div>
      </div>
    </Dialog>
  )
}
