import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.util.List;
import org.h2.mvstore.MVStore;

/** Serves MongoDB's wire protocol from memory on a free port of 127.0.0.1, and prints the port. Ends when stdin ends. */
public class MongoWire {
    /** The backend speaks MongoDB 5.0 but reports wire version 8. Current drivers refuse 8, so this class reports 13. */
    private static final MongoVersion VERSION = new MongoVersion() {
        public List<Integer> getVersionArray() { return List.of(5, 0, 0); }
        public int getWireVersion() { return 13; }
    };

    /**
     * Handles one command at a time and answers with copies. The H2 backend changes documents in place while it still
     * writes them to other clients, which would get half-changed documents. MongoDB itself sends whole documents.
     */
    private static class Backend extends H2Backend {
        Backend() { super(MVStore.open(null)); }

        public synchronized Document handleMessage(MongoMessage message) {
            return super.handleMessage(message).cloneDeeply();
        }
    }

    public static void main(String[] args) throws Exception {
        MongoServer server = new MongoServer(new Backend().version(VERSION));
        System.out.println(server.bind().getPort());
        while (System.in.read() >= 0) { }
        server.shutdownNow();
    }
}
