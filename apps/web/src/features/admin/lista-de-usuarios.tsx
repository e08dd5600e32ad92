import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { OrdemUsuarios } from '@balcao/contract/administracao'
import { ArrowDown, ArrowUp, Ellipsis, Eye, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { Select } from '#shared/ui/select.tsx'
import { useAlterarStatus } from './acoes.ts'
import type { Ordem } from './busca.ts'
import { AcaoStatus, Cadastro, Contato, Quem, StatusDoUsuario, Uso } from './usuario-na-lista.tsx'

export type AcaoDaLista = 'ver' | 'configurar' | 'excluir'

export interface ListaDeUsuariosProps {
  readonly usuarios: readonly UsuarioAdmin[]
  readonly ordem: Ordem
  readonly onOrdem: (ordem: Ordem) => void
  readonly onAcao: (acao: AcaoDaLista, usuario: UsuarioAdmin) => void
}

export function ListaDeUsuarios(props: ListaDeUsuariosProps) {
  const cabeTabela = useMediaQuery('(min-width: 64rem)')
  return cabeTabela ? <Tabela {...props} /> : <Cartoes {...props} />
}

const COLUNAS: readonly { readonly coluna: OrdemUsuarios; readonly rotulo: string }[] = [
  { coluna: 'nome', rotulo: 'Usuário' },
  { coluna: 'contato', rotulo: 'Contato' },
  { coluna: 'status', rotulo: 'Status' },
  { coluna: 'uso', rotulo: 'Mensagens hoje' },
  { coluna: 'cadastro', rotulo: 'Cadastro' },
]

const inicial = (coluna: OrdemUsuarios): Ordem => ({
  coluna,
  direcao: coluna === 'uso' || coluna === 'cadastro' ? 'desc' : 'asc',
})

const oposta = ({ coluna, direcao }: Ordem): Ordem => ({ coluna, direcao: direcao === 'asc' ? 'desc' : 'asc' })

type OrdenarProps = Pick<ListaDeUsuariosProps, 'ordem' | 'onOrdem'>

function Titulo({ coluna, rotulo, ordem, onOrdem }: OrdenarProps & (typeof COLUNAS)[number]) {
  const atual = ordem.coluna === coluna
  const Seta = ordem.direcao === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={atual ? (ordem.direcao === 'asc' ? 'ascending' : 'descending') : undefined}
      className="px-1 py-1.5 font-semibold first:pl-4"
    >
      <button
        type="button"
        className="flex min-h-9 items-center gap-1 rounded-lg px-1 hover:bg-sunken hover:text-ink"
        onClick={() => onOrdem(atual ? oposta(ordem) : inicial(coluna))}
      >
        {rotulo}
        <Seta size={14} aria-hidden className={atual ? '' : 'invisible'} />
      </button>
    </th>
  )
}

function OrdemDosCartoes({ ordem, onOrdem }: OrdenarProps) {
  const Seta = ordem.direcao === 'asc' ? ArrowUp : ArrowDown
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Select
          rotulo="Ordenar por"
          value={ordem.coluna}
          opcoes={COLUNAS.map(({ coluna, rotulo }) => ({ valor: coluna, rotulo }))}
          onChange={(coluna) => onOrdem(inicial(coluna))}
        />
      </div>
      <IconButton
        rotulo={ordem.direcao === 'asc' ? 'Em ordem crescente: inverter' : 'Em ordem decrescente: inverter'}
        icone={<Seta size={18} aria-hidden />}
        onClick={() => onOrdem(oposta(ordem))}
      />
    </div>
  )
}

function Tabela({ usuarios, ordem, onOrdem, onAcao }: ListaDeUsuariosProps) {
  return (
    <div className="card relative overflow-x-auto">
      <table className="w-full text-left">
        <thead className="border-b border-line text-sm text-muted">
          <tr>
            {COLUNAS.map((coluna) => (
              <Titulo key={coluna.coluna} {...coluna} ordem={ordem} onOrdem={onOrdem} />
            ))}
            <th scope="col" className="py-3 pr-4 pl-3 text-right font-semibold">
              Ações
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {usuarios.map((usuario) => (
            <tr key={usuario.id} className="hover:bg-sunken">
              <td className="max-w-60 py-3 pr-3 pl-4">
                <Quem usuario={usuario} />
              </td>
              <td className="max-w-52 px-3 py-3">
                <Contato usuario={usuario} />
              </td>
              <td className="px-3 py-3">
                <StatusDoUsuario usuario={usuario} />
              </td>
              <td className="px-3 py-3">
                <Uso usuario={usuario} />
              </td>
              <td className="px-3 py-3">
                <Cadastro usuario={usuario} />
              </td>
              <td className="py-3 pr-4 pl-3">
                <AcoesDaLinha usuario={usuario} onAcao={onAcao} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface DaLinhaProps extends Pick<ListaDeUsuariosProps, 'onAcao'> {
  readonly usuario: UsuarioAdmin
}

function AcoesDaLinha({ usuario, onAcao }: DaLinhaProps) {
  const alterar = useAlterarStatus()
  const eu = useUsuario().id === usuario.id
  const icone = (acao: AcaoDaLista, verbo: string, desenho: typeof Eye, perigo = false) => {
    const Desenho = desenho
    return (
      <IconButton
        rotulo={`${verbo} ${usuario.nome}`}
        title={verbo}
        dica={false}
        className={perigo ? 'text-danger-ink' : ''}
        icone={<Desenho size={18} aria-hidden />}
        onClick={() => onAcao(acao, usuario)}
      />
    )
  }
  return (
    <div className="flex items-center justify-end">
      <AcaoStatus usuario={usuario} tamanho="sm" className="mr-1" onAlterar={alterar} />
      {icone('ver', 'Ver', Eye)}
      {icone('configurar', 'Configurar', SlidersHorizontal)}
      {!eu && icone('excluir', 'Excluir', Trash2, true)}
    </div>
  )
}

function Cartoes({ usuarios, ordem, onOrdem, onAcao }: ListaDeUsuariosProps) {
  return (
    <>
      <OrdemDosCartoes ordem={ordem} onOrdem={onOrdem} />
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2">
        {usuarios.map((usuario) => (
          <Cartao key={usuario.id} usuario={usuario} onAcao={onAcao} />
        ))}
      </ul>
    </>
  )
}

function Cartao({ usuario, onAcao }: DaLinhaProps) {
  const alterar = useAlterarStatus()
  const eu = useUsuario().id === usuario.id
  return (
    <li className="card grid grid-cols-[minmax(0,1fr)] content-start gap-3 p-4">
      <div className="flex items-start justify-between gap-3">
        <Quem usuario={usuario} />
        <StatusDoUsuario usuario={usuario} />
      </div>
      <Contato usuario={usuario} />
      <div>
        <p className="text-sm text-muted">Mensagens hoje</p>
        <Uso usuario={usuario} />
      </div>
      <p className="text-sm text-muted">
        Cadastro em <Cadastro usuario={usuario} />
      </p>
      <div className="flex items-center gap-2">
        <AcaoStatus usuario={usuario} className="min-h-11 flex-1" onAlterar={alterar} />
        <Button className="min-h-11 flex-1" onClick={() => onAcao('configurar', usuario)}>
          Configurar<span className="sr-only"> {usuario.nome}</span>
        </Button>
        <Menu
          rotulo={`Mais ações para ${usuario.nome}`}
          className="btn btn-ghost btn-icon !size-11"
          botao={<Ellipsis size={20} aria-hidden />}
          itens={[
            { rotulo: 'Ver', icone: <Eye size={18} aria-hidden />, fazer: () => onAcao('ver', usuario) },
            ...(eu
              ? []
              : [
                  {
                    rotulo: 'Excluir',
                    icone: <Trash2 size={18} aria-hidden />,
                    perigo: true,
                    fazer: () => onAcao('excluir', usuario),
                  },
                ]),
          ]}
        />
      </div>
    </li>
  )
}
