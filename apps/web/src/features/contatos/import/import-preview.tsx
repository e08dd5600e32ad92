import type { Importacao } from '@balcao/contract/entities/contato'
import { formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Notice } from '#shared/ui/notice.tsx'

export interface ImportPreviewProps {
  readonly name: string
  readonly previa: Importacao
  /** Why the import failed. */
  readonly erro: string | null
  readonly busy: boolean
  readonly onBack: () => void
  readonly onConfirm: () => void
}

const REFUSED_SHOWN = 100

export function ImportPreview({ name, previa, erro, busy, onBack, onConfirm }: ImportPreviewProps) {
  const { novos, atualizados, iguais, recusados, apagados = 0 } = previa
  const changes = novos + atualizados
  const figures = [
    ['Novos', novos],
    ['Alterados', atualizados],
    ['Sem mudança', iguais],
    ['Recusados', recusados.length],
  ] as const
  return (
    <div className="grid gap-4">
      <p className="break-words text-muted">{name}</p>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {figures.map(([label, value]) => (
          <div key={label} className="rounded-card bg-sunken p-3">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-lg font-bold tabular-nums">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {recusados.length > 0 && (
        <>
          <RefusedRows recusados={recusados} />
          <p className="text-sm text-muted">
            As linhas recusadas ficam de fora. Corrija no arquivo e importe de novo: o que já entrou não se repete.
          </p>
        </>
      )}
      {apagados > 0 && (
        <Notice tone="espera" title={erasedTitle(apagados)}>
          Se não voltaram a procurar a loja, tire essas linhas do arquivo antes de importar.
        </Notice>
      )}
      {erro !== null && <Notice tone="erro" title={erro} />}
      {changes === 0 && <p role="status">Nada neste arquivo muda seus contatos.</p>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="touch" disabled={busy} onClick={onBack}>
          Escolher outro arquivo
        </Button>
        {changes > 0 && (
          <Button variant="primary" size="touch" busy={busy} onClick={onConfirm}>
            {busy ? 'Importando…' : `Importar ${formatNumber(changes)}`}
          </Button>
        )}
      </div>
    </div>
  )
}

const erasedTitle = (count: number): string =>
  count === 1
    ? '1 contato novo teve os dados apagados a pedido do cliente.'
    : `${formatNumber(count)} contatos novos tiveram os dados apagados a pedido dos clientes.`

function RefusedRows({ recusados }: Pick<Importacao, 'recusados'>) {
  const hidden = recusados.length - REFUSED_SHOWN
  return (
    <section aria-label="Linhas recusadas" tabIndex={0} className="max-h-56 overflow-y-auto rounded-card border">
      <table className="w-full text-left text-sm">
        <thead>
          <tr>
            <th scope="col" className="px-3 py-2">
              Linha
            </th>
            <th scope="col" className="px-3 py-2">
              Por que não entra
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {recusados.slice(0, REFUSED_SHOWN).map(({ linha, motivo }) => (
            <tr key={linha}>
              <td className="px-3 py-1.5 tabular-nums">{formatNumber(linha)}</td>
              <td className="px-3 py-1.5">{motivo}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p className="px-3 py-2 text-sm text-muted">E mais {formatNumber(hidden)}.</p>}
    </section>
  )
}
