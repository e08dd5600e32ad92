import type { LojaConfig } from '@balcao/contract/entities/loja'
import { qrCardapioRoute } from '@balcao/contract/routes/cardapio'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { callFile } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { downloadBlob } from '#shared/download.ts'
import { LongText } from '#shared/form/long-text.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { CopyField } from '#shared/ui/copy-field.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

type Pagina = LojaConfig['pagina']

interface MenuPageCardProps {
  readonly pagina: Pagina
  /** As the server has it. The link and the QR code lead there. */
  readonly saved: Pagina
  readonly errors: Readonly<Partial<Record<keyof Pagina, string | undefined>>>
  readonly onChange: (pagina: Pagina) => void
}

const linkOf = ({ endereco }: Pagina): string => `${location.origin}/m/${endereco}`

/** The letters that an address may have, while the person types. */
const asAddress = (typed: string): string =>
  foldAccents(typed.toLowerCase())
    .replaceAll(/\s+/g, '-')
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, 40)

function addressProblem({ ativa, endereco }: Pagina): string | undefined {
  if (endereco === '') return ativa ? 'Escolha o endereço da página' : undefined
  return endereco.length < 3 ? 'Use pelo menos 3 letras ou números' : undefined
}

/** The menu on the web: switch, address, description, and the QR code for counter and tables. */
export function MenuPageCard({ pagina, saved, errors, onChange }: MenuPageCardProps) {
  const change = (fields: Partial<Pagina>): void => onChange({ ...pagina, ...fields })
  return (
    <Card heading="Cardápio na web" aria-label="Cardápio na web">
      <div className="grid gap-4">
        <Switch
          label="Página ligada"
          hint="Uma página com os seus produtos, que qualquer pessoa abre sem o WhatsApp."
          on={pagina.ativa}
          onChange={(ativa) => change({ ativa })}
        />
        <TextField
          label="Endereço da página"
          hint={`${location.host}/m/${pagina.endereco === '' ? 'sua-loja' : pagina.endereco}`}
          value={pagina.endereco}
          error={errors.endereco ?? addressProblem(pagina)}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ currentTarget }) => change({ endereco: asAddress(currentTarget.value) })}
        />
        <LongText
          label="Descrição"
          hint="Uma frase sobre a loja. Aparece no topo da página e quando alguém manda o link."
          value={pagina.descricao}
          error={errors.descricao}
          total={300}
          rows={2}
          onChange={(descricao) => change({ descricao })}
        />
        <Switch
          label="Aparecer em buscadores"
          hint="Desligado, pedimos ao Google e aos outros que deixem a página de fora."
          on={pagina.indexar}
          onChange={(indexar) => change({ indexar })}
        />
        {saved.endereco !== '' && <PageLinks saved={saved} />}
      </div>
    </Card>
  )
}

function PageLinks({ saved }: { readonly saved: Pagina }) {
  const [busy, setBusy] = useState(false)
  async function download(formato: 'png' | 'svg'): Promise<void> {
    setBusy(true)
    try {
      downloadBlob(`cardapio-${saved.endereco}.${formato}`, await callFile(qrCardapioRoute, { query: { formato } }))
    } catch (error) {
      notify.erro(`Erro ao baixar o QR code: ${errorMessage(error)}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <CopyField label="Link do cardápio" value={linkOf(saved)} />
      {!saved.ativa && <p className="text-sm text-muted">A página está desligada: o link ainda não abre.</p>}
      <p className="text-sm text-muted">Imprima o QR code para o balcão e as mesas.</p>
      <div className="flex flex-wrap gap-2">
        <Button size="touch" busy={busy} onClick={() => void download('png')}>
          <Download aria-hidden className="size-4" /> QR code em PNG
        </Button>
        <Button size="touch" busy={busy} onClick={() => void download('svg')}>
          <Download aria-hidden className="size-4" /> QR code em SVG
        </Button>
      </div>
    </div>
  )
}
