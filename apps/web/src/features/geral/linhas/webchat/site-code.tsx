import { segredoWebchatRoute } from '@balcao/contract/routes/webchat'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { CopyField } from '#shared/ui/copy-field.tsx'
import { Notice } from '#shared/ui/notice.tsx'

export function CodeSection({ codigo }: { readonly codigo: string }) {
  return (
    <section aria-labelledby="codigo-do-chat" className="grid gap-2 border-t border-line pt-5">
      <h3 id="codigo-do-chat" className="font-bold">
        Colocar no seu site
      </h3>
      <p className="text-sm text-muted">
        Cole este código nas páginas do site, antes de {'</body>'}. Quem cuida do seu site sabe onde.
      </p>
      <CopyField label="Código do chat" value={codigo} />
    </section>
  )
}

/** The secret is in no other answer of the server, so it is gone when the dialog closes. */
export function useSecret(linhaId: string) {
  const [asking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  async function create(): Promise<void> {
    try {
      setSecret((await call(segredoWebchatRoute, { params: { id: linhaId } })).segredo)
    } catch (error) {
      notify.erro(`Erro ao criar o segredo: ${errorMessage(error)}`)
    }
  }
  return {
    secret,
    ask: () => setAsking(true),
    question: { open: asking, onConfirm: create, onClose: () => setAsking(false) },
  }
}

/** Stands beside the dialog of the settings: React passes the end of a dialog inside it on to the outer one. */
export function SecretQuestion(props: ReturnType<typeof useSecret>['question']) {
  return (
    <ConfirmDialog {...props} title="Gerar um novo segredo?" confirmLabel="Gerar segredo">
      Se já havia um segredo, ele deixa de valer na hora, e o seu site precisa do novo.
    </ConfirmDialog>
  )
}

export function SecretSection({ secret, ask }: Pick<ReturnType<typeof useSecret>, 'secret' | 'ask'>) {
  return (
    <section aria-labelledby="segredo-do-chat" className="grid gap-3 border-t border-line pt-5">
      <h3 id="segredo-do-chat" className="font-bold">
        Reconhecer clientes do seu site
      </h3>
      <p className="text-sm text-muted">
        Opcional. Se os clientes entram no seu site com senha, ele pode provar ao chat quem é o cliente. Para isso, o
        programador do site precisa de um segredo. Sem ele, o nome que o visitante escreve fica marcado como “informado
        pelo visitante”.
      </p>
      {secret !== null && (
        <div className="grid gap-3">
          <Notice tone="espera" title="Guarde o segredo agora">
            Ele não aparece de novo. Entregue só ao programador: ele nunca pode ficar na página do site.
          </Notice>
          <CopyField label="Segredo do chat" value={secret} />
        </div>
      )}
      <div>
        <Button onClick={ask}>
          <KeyRound aria-hidden className="size-4" /> Gerar segredo
        </Button>
      </div>
    </section>
  )
}
