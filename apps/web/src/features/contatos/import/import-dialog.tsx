import { useQueryClient } from '@tanstack/react-query'
import type { Importacao } from '@balcao/contract/entities/contato'
import { notify } from '#shared/avisos.ts'
import { formatNumber } from '#shared/format.ts'
import { FigureList } from '#shared/ui/figure-list.tsx'
import { FileImportDialog } from '#shared/ui/file-import.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { refreshContatos, sendImport } from '../use-contatos.ts'

const REFUSED_SHOWN = 100

function ImportPreview({ previa }: { readonly previa: Importacao }) {
  const { novos, atualizados, iguais, recusados, apagados = 0 } = previa
  const figures = [
    ['Novos', novos],
    ['Alterados', atualizados],
    ['Sem mudança', iguais],
    ['Recusados', recusados.length],
  ] as const
  return (
    <>
      <FigureList figures={figures} />
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
      {novos + atualizados === 0 && <p role="status">Nada neste arquivo muda seus contatos.</p>}
    </>
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

const ACCEPT = '.csv,.txt,.vcf,text/csv,text/vcard,text/x-vcard'
const INTRO =
  'Escolha um arquivo CSV ou vCard do celular, do Google, do Outlook ou de uma planilha. O CSV precisa de uma coluna de telefone. Até 50.000 contatos e 5 MB.'

function confirmLabel({ novos, atualizados }: Importacao, saving: boolean): string | null {
  if (novos + atualizados === 0) return null
  return saving ? 'Importando…' : `Importar ${formatNumber(novos + atualizados)}`
}

/** The server compares the file with the contatos first and writes only after the preview. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  return (
    <FileImportDialog
      title="Importar contatos"
      intro={INTRO}
      accept={ACCEPT}
      reading="Lendo o arquivo…"
      failure="Os contatos não foram importados"
      send={sendImport}
      onDone={({ novos, atualizados }) => {
        refreshContatos(client)
        notify.sucesso(`Importação pronta: ${formatNumber(novos)} novos e ${formatNumber(atualizados)} alterados.`)
        return false
      }}
      confirmLabel={confirmLabel}
      onClose={onClose}
    >
      {(previa) => <ImportPreview previa={previa} />}
    </FileImportDialog>
  )
}
