import { type LegalClause, LegalLayout } from './legal-layout.tsx'

const PRIVACY_CLAUSES: readonly LegalClause[] = [
  {
    id: 'papeis',
    title: 'Quem cuida de quais dados',
    body: (
      <>
        <p>A Lei Geral de Proteção de Dados (LGPD, Lei nº 13.709/2018) separa dois papéis, e aqui existem os dois:</p>
        <ul>
          <li>
            <strong>Dados da sua conta</strong> (donos de empresa e operadores): quem mantém esta instalação do Balcão é
            o controlador.
          </li>
          <li>
            <strong>Dados dos clientes que conversam com a sua empresa</strong>: a sua empresa é a controladora, porque
            decide por que e como atende. O Balcão é o operador e só trata esses dados para prestar o serviço que você
            pediu.
          </li>
        </ul>
        <p>
          Se você é cliente de uma loja que usa o Balcão e quer saber dos seus dados, fale primeiro com a loja. Ela
          recebe de nós a ajuda necessária para responder.
        </p>
      </>
    ),
  },
  {
    id: 'dados',
    title: 'Quais dados e para quê',
    body: (
      <>
        <ul>
          <li>
            <strong>Cadastro</strong>: nome, e-mail, telefone, empresa e a senha (guardada só como um código do qual não
            se volta a ela). Servem para criar e proteger a conta e para avisos sobre ela. Base legal: execução de
            contrato.
          </li>
          <li>
            <strong>Atendimento</strong>: nome, telefone ou nome de usuário dos clientes, mensagens, imagens e áudios
            trocados, setor, avaliação e protocolo. Servem para responder e continuar a conversa. A base legal é
            definida pela sua empresa, em geral a execução de contrato ou o pedido do próprio cliente.
          </li>
          <li>
            <strong>Pedidos</strong>: o que o cliente pediu, observações, endereço de entrega, forma de pagamento e se
            foi pago. Servem para preparar, entregar e cobrar. Base legal: execução de contrato. O pagamento acontece no
            banco do cliente ou na loja: nenhum dado de cartão passa por aqui.
          </li>
          <li>
            <strong>Configuração e catálogo</strong>: menus, textos, horários, produtos e chaves de acesso, estas
            guardadas cifradas e nunca mostradas por inteiro.
          </li>
          <li>
            <strong>Registros técnicos</strong>: data, hora, endereço IP e o que aconteceu no bot. Servem para
            segurança, para encontrar falhas e para cumprir o Marco Civil da Internet.
          </li>
        </ul>
        <p>
          Não vendemos dados, não fazemos propaganda com eles e não lemos conversas por curiosidade. O administrador vê
          quantas mensagens cada conta envia, nunca o que elas dizem.
        </p>
      </>
    ),
  },
  {
    id: 'prazos',
    title: 'Por quanto tempo',
    body: (
      <>
        <ul>
          <li>
            <strong>Conversas, mensagens e mídias</strong>: 180 dias, salvo se a sua empresa escolher outro prazo no
            painel ou for obrigada a preservá-las.
          </li>
          <li>
            <strong>Nome, endereço e observações de um pedido</strong>: enquanto a loja guardar o cliente. Depois ficam
            só os itens e os valores, sem dizer de quem são.
          </li>
          <li>
            <strong>Registros do bot e do sistema</strong>: 90 dias.
          </li>
          <li>
            <strong>Registros de acesso ao painel</strong>: 6 meses, como manda o artigo 15 do Marco Civil da Internet.
          </li>
          <li>
            <strong>Dados da conta</strong>: enquanto ela existir e por mais 30 dias, em que ela ainda pode ser
            restaurada. Depois, tudo o que é dela é apagado, arquivos incluídos, e o que a lei obriga a guardar fica sem
            nome.
          </li>
          <li>
            <strong>Nome, e-mail e telefone de quem saiu da equipe</strong>: 180 dias. E-mails enviados pelo painel: 30
            dias.
          </li>
          <li>
            <strong>Registro dos atos de administração</strong> (quem fez o quê, quando e de onde): 365 dias.
          </li>
        </ul>
        <p>
          Depois do prazo os dados são apagados ou deixam de identificar alguém. Cópias de segurança seguem o mesmo
          caminho.
        </p>
      </>
    ),
  },
  {
    id: 'compartilhamento',
    title: 'Com quem os dados são compartilhados',
    body: (
      <>
        <ul>
          <li>
            <strong>WhatsApp</strong>: toda mensagem passa por ele, sob as regras dele. Com a conexão por QR Code, que
            não é autorizada pelos termos do WhatsApp, o número pode ser banido e as conversas podem ficar inacessíveis
            no aparelho. Na conexão pelo navegador, o perfil dele no servidor guarda uma cópia das conversas, que só é
            apagada quando a loja limpa a sessão.
          </li>
          <li>
            <strong>Provedor de e-mail</strong>: recebe o endereço e o texto dos avisos.
          </li>
          <li>
            <strong>Hospedagem</strong>: onde esta instalação guarda os dados.
          </li>
          <li>
            <strong>Autoridades</strong>: apenas quando a lei ou uma ordem judicial exige.
          </li>
        </ul>
        <p>O Balcão não tem vínculo com o WhatsApp nem com a Meta.</p>
      </>
    ),
  },
  {
    id: 'ia',
    title: 'Inteligência artificial e transferência internacional',
    body: (
      <>
        <p>
          A IA vem desligada. Se a sua empresa a ligar, as mensagens recentes da conversa, as instruções que você
          escreveu, o catálogo e os horários são enviados ao provedor que ela escolher: Google (Gemini), OpenAI ou
          Anthropic, que os processam <strong>fora do Brasil</strong>, ou um servidor próprio em um endereço que o
          administrador permitiu. O registro das operações, na aba Geral, diz qual é o provedor em uso. Essa
          transferência segue o artigo 33 da LGPD e as condições do provedor, que podem mudar conforme o plano da chave.
          Em planos gratuitos, o provedor pode usar o conteúdo para melhorar os modelos dele: confira antes.
        </p>
        <p>
          Antes do envio, CPF, cartão, telefone e e-mail são trocados por um aviso de que foram ocultados. Fotos e
          áudios dos clientes só vão se a sua empresa ligar também essa opção na aba IA, e então vão inteiros, porque
          neles nada pode ser ocultado.
        </p>
        <p>
          Se a sua empresa ligar a <strong>transcrição de áudios</strong>, cada áudio de cliente de até 5 minutos vai
          inteiro ao mesmo provedor, também fora do Brasil. O texto fica guardado com a mensagem, entra na busca e na
          cópia dos dados do cliente, e é apagado com eles. Desligar a transcrição não apaga os textos já feitos.
        </p>
        <p>
          Quando quem atende pede uma <strong>sugestão de resposta</strong>, vão os mesmos dados de uma resposta da IA.
          A sugestão não é guardada nem enviada ao cliente sem que a pessoa a envie.
        </p>
        <p>
          Diga aos seus clientes que há um assistente automático. Eles sempre podem pedir uma pessoa escrevendo
          “atendente”, e nenhuma decisão que os afete de modo relevante deve depender só da IA.
        </p>
      </>
    ),
  },
  {
    id: 'direitos',
    title: 'Seus direitos e como usá-los',
    body: (
      <>
        <p>Pela LGPD você pode, a qualquer momento e de graça:</p>
        <ul>
          <li>confirmar se tratamos dados seus e ter acesso a eles;</li>
          <li>corrigir o que estiver errado ou incompleto;</li>
          <li>pedir que dados desnecessários sejam apagados, bloqueados ou deixem de identificar você;</li>
          <li>levar seus dados para outro serviço;</li>
          <li>saber com quem foram compartilhados;</li>
          <li>retirar um consentimento ou se opor a um uso.</li>
        </ul>
        <p>
          Na conversa com uma loja, escreva <strong>PARAR</strong> para não receber mais mensagens automáticas. Para
          voltar a recebê-las, escreva <strong>VOLTAR</strong>. “atendente” continua chamando uma pessoa.
        </p>
        <p>
          <strong>Como pedir:</strong> donos de conta e operadores escrevem ao administrador que aprovou a conta,
          respondendo a qualquer e-mail enviado por ela. Clientes de lojas pedem à própria loja, na mesma conversa: pelo
          painel, a loja exporta tudo o que guarda de você ou apaga para sempre, inclusive de cópias de segurança que
          venham a ser restauradas. Confirmamos logo se há dados e enviamos a resposta completa em até 15 dias. Se não
          ficar satisfeito, você pode procurar a Autoridade Nacional de Proteção de Dados (ANPD).
        </p>
      </>
    ),
  },
  {
    id: 'seguranca',
    title: 'Segurança',
    body: (
      <p>
        Senhas não são guardadas em texto, as chaves de acesso ficam cifradas, cada conta só alcança os próprios dados e
        o acesso pode ser encerrado na hora. Nenhum sistema é infalível: se houver um incidente que possa causar dano
        relevante, avisamos as pessoas afetadas e a ANPD no prazo da lei.
      </p>
    ),
  },
  {
    id: 'navegador',
    title: 'O que fica no seu navegador',
    body: (
      <p>
        O painel guarda no navegador a sua sessão, o seu nome e e-mail e o tema escolhido. No aparelho ficam o programa
        e, até você sair, uma cópia das últimas 50 conversas e da configuração, sem as chaves, para abrir sem internet.
        Em aparelho que outras pessoas usam, clique em Sair. Não usa cookies de publicidade nem serviços de
        rastreamento.
      </p>
    ),
  },
  {
    id: 'mudancas',
    title: 'Mudanças nesta política',
    body: (
      <p>
        Se algo importante mudar, avisamos no painel ou por e-mail antes de valer. A data no alto desta página diz desde
        quando esta versão está em vigor.
      </p>
    ),
  },
]

export function PrivacyScreen() {
  return (
    <LegalLayout
      title="Política de privacidade"
      summary="Quais dados o Balcão guarda, por quê, por quanto tempo e como você manda neles."
      effectiveDate="1º de novembro de 2025"
      clauses={PRIVACY_CLAUSES}
      otherPage={{ to: '/terms', rotulo: 'Termos de uso' }}
    />
  )
}
