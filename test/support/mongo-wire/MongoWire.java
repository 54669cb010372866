import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.util.List;
import org.h2.mvstore.MVStore;

/** Serves MongoDB's wire protocol from memory on a free port of 127.0.0.1, and prints the port. Ends with its stdin. */
public class MongoWire {
    /** What the backend speaks is 5.0; it says wire version 8 for it, which today's drivers refuse. */
    private static final MongoVersion VERSION = new MongoVersion() {
        public List<Integer> getVersionArray() { return List.of(5, 0, 0); }
        public int getWireVersion() { return 13; }
    };

    /**
     * One command at a time, and answers are copies. The backend changes documents in place while answers that hold them
     * are still being written out, so that readers get documents half old and half new; MongoDB does no such thing.
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
