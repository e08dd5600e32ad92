import { ConfirmDialog, type ConfirmDialogProps } from '#shared/ui/confirm-dialog.tsx'

type QuestionProps = Pick<ConfirmDialogProps, 'open' | 'onConfirm' | 'onClose'>

export function RelinkQuestion(props: QuestionProps) {
  return (
    <ConfirmDialog {...props} title="Conectar em outra máquina?" confirmLabel="Conectar">
      <p>O bot inicia em uma máquina ligada e mostra um novo QR Code para você escanear.</p>
      <p className="mt-2">
        O aparelho antigo continua na lista do celular. Abra <b className="font-semibold text-ink">WhatsApp</b> →{' '}
        <b className="font-semibold text-ink">Aparelhos conectados</b> e remova-o lá.
      </p>
    </ConfirmDialog>
  )
}

export function ClearSessionQuestion({ nome, ...props }: QuestionProps & { readonly nome: string }) {
  return (
    <ConfirmDialog {...props} title={`Limpar a sessão de ${nome}?`} confirmLabel="Limpar Sessão">
      O celular é desconectado desta linha. Para voltar, será preciso conectar de novo. As conversas ficam guardadas.
    </ConfirmDialog>
  )
}
