import { Dialog } from '#shared/ui/dialog.tsx'
import { LojaPreview, type LojaPreviewProps } from './loja-preview.tsx'

export function ProdutoPreviewDialog({ onFechar, ...previa }: LojaPreviewProps & { readonly onFechar: () => void }) {
  return (
    <Dialog open title="Como aparece no WhatsApp" onClose={onFechar}>
      <LojaPreview {...previa} />
    </Dialog>
  )
}
